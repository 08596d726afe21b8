// The example server of zitadel/oidc, with a client for people whose access tokens are JWTs.
package main

import (
	"context"
	"io"
	"log"
	"log/slog"
	"net/http"
	"os"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/op"
)

type client struct{ op.Client }

func (client) AccessTokenType() op.AccessTokenType { return op.AccessTokenTypeJWT }

type store struct{ *storage.Storage }

func (s store) GetClientByClientID(ctx context.Context, id string) (op.Client, error) {
	found, err := s.Storage.GetClientByClientID(ctx, id)
	if err != nil {
		return nil, err
	}
	return client{found}, nil
}

func (s store) ClientCredentials(ctx context.Context, id, secret string) (op.Client, error) {
	found, err := s.Storage.ClientCredentials(ctx, id, secret)
	if err != nil {
		return nil, err
	}
	return client{found}, nil
}

func main() {
	address, clientID, redirect := os.Args[1], os.Args[2], os.Args[3]
	storage.RegisterClients(storage.NativeClient(clientID, redirect))
	users, err := storage.StoreFromFile(os.Args[4])
	if err != nil {
		log.Fatal(err)
	}
	logger := slog.New(slog.NewTextHandler(io.Discard, nil))
	router := exampleop.SetupServer("http://"+address+"/", store{storage.NewStorage(users)}, logger, false)
	log.Fatal(http.ListenAndServe(address, router))
}
