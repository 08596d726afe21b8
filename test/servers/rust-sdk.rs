//! A server of the Rust SDK, with every feature that is compared.

use std::time::Duration;

use rmcp::{
    ErrorData, Json, RoleServer, ServerHandler, elicit_safe,
    handler::server::wrapper::Parameters,
    model::*,
    prompt, prompt_handler, prompt_router,
    schemars::{self, JsonSchema},
    service::RequestContext,
    tool, tool_handler, tool_router,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Text {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Pair {
    a: i64,
    b: i64,
}

#[derive(Serialize, JsonSchema)]
struct Sum {
    total: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Why {
    #[schemars(description = "What is said")]
    why: String,
}

#[derive(Deserialize, JsonSchema)]
struct Limit {
    to: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Name {
    name: String,
}

elicit_safe!(Name);

#[derive(Deserialize, JsonSchema)]
struct Code {
    code: String,
}

struct Server;

fn said(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

#[tool_router]
impl Server {
    #[tool(description = "Gives back what it gets.")]
    fn echo(&self, Parameters(Text { text }): Parameters<Text>) -> Result<CallToolResult, ErrorData> {
        Ok(said(text))
    }

    #[tool(description = "Adds two numbers.")]
    fn add(&self, Parameters(Pair { a, b }): Parameters<Pair>) -> Result<Json<Sum>, ErrorData> {
        Ok(Json(Sum { total: a + b }))
    }

    #[tool(description = "Fails with what it gets.")]
    fn fail(&self, Parameters(Why { why }): Parameters<Why>) -> Result<CallToolResult, ErrorData> {
        Ok(CallToolResult::error(vec![ContentBlock::text(why)]))
    }

    #[tool(description = "An image.")]
    fn pixel(&self) -> Result<CallToolResult, ErrorData> {
        Ok(CallToolResult::success(vec![ContentBlock::image("iVBORw0KGgo=", "image/png")]))
    }

    #[tool(description = "Counts, and tells how far it is.")]
    async fn count(
        &self,
        Parameters(Limit { to }): Parameters<Limit>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        for step in 1..=to {
            if let Some(token) = context.meta.get_progress_token() {
                let progress = ProgressNotificationParam::new(token, f64::from(step))
                    .with_total(f64::from(to))
                    .with_message(format!("step {step}"));
                let _ = context.peer.notify_progress(progress).await;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(said(format!("counted to {to}")))
    }

    #[tool(description = "Asks the person for a name.")]
    async fn ask(&self, context: RequestContext<RoleServer>) -> Result<CallToolResult, ErrorData> {
        match context.peer.elicit::<Name>("What is your name?".to_string()).await {
            Ok(Some(answer)) => Ok(said(format!("accept {}", answer.name))),
            Ok(None) => Ok(said("nothing")),
            Err(error) => Err(ErrorData::internal_error(error.to_string(), None)),
        }
    }
}

#[prompt_router]
impl Server {
    #[prompt(description = "Asks for a review.")]
    async fn review(&self, Parameters(Code { code }): Parameters<Code>) -> Result<Vec<PromptMessage>, ErrorData> {
        Ok(vec![PromptMessage::new_text(Role::User, format!("Review this: {code}"))])
    }
}

#[tool_handler]
#[prompt_handler]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_completions()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("rust", "1"))
            .with_instructions("Ask “größe” first.")
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult { resources: vec![Resource::new("note://one", "one")], ..Default::default() })
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let greeting = ResourceTemplate::new("greeting://{name}", "greeting");
        Ok(ListResourceTemplatesResult { resource_templates: vec![greeting], ..Default::default() })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.clone();
        let text = match uri.strip_prefix("greeting://") {
            Some(name) => format!("Hello, {name}!"),
            None if uri == "note://one" => "first\nsecond".to_string(),
            None => return Err(ErrorData::resource_not_found("no such note", None)),
        };
        Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri)]).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let value = &request.argument.value;
        let values = vec![format!("{value}-a"), format!("{value}-b")];
        let completion = CompletionInfo::new(values).map_err(|error| ErrorData::internal_error(error, None))?;
        Ok(CompleteResult::new(completion))
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|given| given == word);
    let config = StreamableHttpServerConfig::default()
        .with_json_response(has("json"))
        .with_legacy_session_mode(!has("stateless"));
    let service =
        StreamableHttpService::new(|| Ok(Server), LocalSessionManager::default().into(), config);
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{}", words[0])).await?;
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await
}
