// A server of mcp-go, with every compared feature that mcp-go supports.
package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func main() {
	s := server.NewMCPServer("mcp-go", "1",
		server.WithInstructions("Ask “größe” first."),
		server.WithToolCapabilities(false), server.WithResourceCapabilities(false, false), server.WithPromptCapabilities(false))
	s.AddTool(mcp.NewTool("echo", mcp.WithDescription("Gives back what it gets."), mcp.WithString("text", mcp.Required())),
		func(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(request.GetString("text", "")), nil
		})
	s.AddTool(mcp.NewTool("add", mcp.WithDescription("Adds two numbers."), mcp.WithNumber("a", mcp.Required()), mcp.WithNumber("b", mcp.Required())),
		func(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			a, err := request.RequireInt("a")
			if err != nil {
				return mcp.NewToolResultError(err.Error()), nil
			}
			return mcp.NewToolResultText(fmt.Sprint(a + request.GetInt("b", 0))), nil
		})
	s.AddTool(mcp.NewTool("fail", mcp.WithDescription("Fails with what it gets."), mcp.WithString("why", mcp.Required())),
		func(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultError(request.GetString("why", "")), nil
		})
	s.AddTool(mcp.NewTool("pixel", mcp.WithDescription("An image.")),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultImage("", "iVBORw0KGgo=", "image/png"), nil
		})
	s.AddTool(mcp.NewTool("count", mcp.WithDescription("Counts, and tells how far it is."), mcp.WithNumber("to", mcp.Required())),
		func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			to := request.GetInt("to", 0)
			for step := 1; step <= to; step++ {
				if request.Params.Meta != nil && request.Params.Meta.ProgressToken != nil {
					progress := map[string]any{"progressToken": request.Params.Meta.ProgressToken, "progress": step, "total": to, "message": fmt.Sprint("step ", step)}
					_ = server.ServerFromContext(ctx).SendNotificationToClient(ctx, "notifications/progress", progress)
				}
				time.Sleep(20 * time.Millisecond)
			}
			return mcp.NewToolResultText(fmt.Sprint("counted to ", to)), nil
		})
	s.AddResource(mcp.NewResource("note://one", "one", mcp.WithMIMEType("text/plain"), mcp.WithResourceDescription("A note.")),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: "note://one", MIMEType: "text/plain", Text: "first\nsecond"}}, nil
		})
	s.AddPrompt(mcp.NewPrompt("review", mcp.WithPromptDescription("Asks for a review."), mcp.WithArgument("code", mcp.RequiredArgument())),
		func(_ context.Context, request mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			words := mcp.NewTextContent("Review this: " + request.Params.Arguments["code"])
			return mcp.NewGetPromptResult("", []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, words)}), nil
		})
	handler := server.NewStreamableHTTPServer(s, server.WithStateLess(slices.Contains(os.Args[2:], "stateless")))
	if err := handler.Start("127.0.0.1:" + os.Args[1]); err != nil {
		panic(err)
	}
}
