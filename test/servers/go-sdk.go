// A server of the Go SDK, with every feature that is compared.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type text struct {
	Text string `json:"text"`
}

type pair struct {
	A int `json:"a"`
	B int `json:"b"`
}

type sum struct {
	Total int `json:"total"`
}

type why struct {
	Why string `json:"why" jsonschema:"What is said"`
}

type limit struct {
	To int `json:"to"`
}

type nothing struct{}

func said(words string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: words}}}
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "go", Version: "1"}, &mcp.ServerOptions{
		Instructions: "Ask “größe” first.",
		CompletionHandler: func(_ context.Context, request *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			value := request.Params.Argument.Value
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{value + "-a", value + "-b"}, Total: 2}}, nil
		},
	})
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "Gives back what it gets."},
		func(_ context.Context, _ *mcp.CallToolRequest, in text) (*mcp.CallToolResult, any, error) {
			return said(in.Text), nil, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "add", Description: "Adds two numbers."},
		func(_ context.Context, _ *mcp.CallToolRequest, in pair) (*mcp.CallToolResult, sum, error) {
			return nil, sum{in.A + in.B}, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "fail", Description: "Fails with what it gets."},
		func(_ context.Context, _ *mcp.CallToolRequest, in why) (*mcp.CallToolResult, any, error) {
			return nil, nil, errors.New(in.Why)
		})
	mcp.AddTool(server, &mcp.Tool{Name: "pixel", Description: "An image."},
		func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
			image := &mcp.ImageContent{Data: []byte("\x89PNG\r\n\x1a\n"), MIMEType: "image/png"}
			return &mcp.CallToolResult{Content: []mcp.Content{image}}, nil, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "count", Description: "Counts, and tells how far it is."},
		func(ctx context.Context, request *mcp.CallToolRequest, in limit) (*mcp.CallToolResult, any, error) {
			for step := 1; step <= in.To; step++ {
				progress := &mcp.ProgressNotificationParams{
					ProgressToken: request.Params.GetProgressToken(), Progress: float64(step), Total: float64(in.To), Message: fmt.Sprint("step ", step),
				}
				if progress.ProgressToken != nil {
					if err := request.Session.NotifyProgress(ctx, progress); err != nil {
						return nil, nil, err
					}
				}
				time.Sleep(20 * time.Millisecond)
			}
			return said(fmt.Sprint("counted to ", in.To)), nil, nil
		})
	server.AddResource(&mcp.Resource{URI: "note://one", Name: "one", MIMEType: "text/plain", Description: "A note."},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "note://one", MIMEType: "text/plain", Text: "first\nsecond"}}}, nil
		})
	server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "greeting://{name}", Name: "greeting", Description: "Greets."},
		func(_ context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			uri := request.Params.URI
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/plain", Text: "Hello, " + uri[len("greeting://"):] + "!"}}}, nil
		})
	server.AddPrompt(&mcp.Prompt{Name: "review", Description: "Asks for a review.", Arguments: []*mcp.PromptArgument{{Name: "code", Required: true}}},
		func(_ context.Context, request *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			content := &mcp.TextContent{Text: "Review this: " + request.Params.Arguments["code"]}
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: content}}}, nil
		})
	modes := os.Args[2:]
	options := &mcp.StreamableHTTPOptions{JSONResponse: slices.Contains(modes, "json"), Stateless: slices.Contains(modes, "stateless")}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options)
	http.Handle("/mcp", handler)
	if err := http.ListenAndServe("127.0.0.1:"+os.Args[1], nil); err != nil {
		panic(err)
	}
}
