"""A server of the Python SDK, in its first or second major version, with every feature that is compared."""

import asyncio
import sys
from typing import Annotated

from pydantic import BaseModel, Field

try:
    from mcp.server import MCPServer as Server
    from mcp.server.mcpserver import Context, Image
    from mcp.types import Completion

    IS_FIRST = False
except ImportError:
    from mcp.server.fastmcp import Context, Image
    from mcp.server.fastmcp import FastMCP as Server
    from mcp.types import Completion

    IS_FIRST = True

port = int(sys.argv[1])
modes = sys.argv[2:]
http = {"host": "127.0.0.1", "port": port, "json_response": "json" in modes, "stateless_http": "stateless" in modes}
server = Server("python", instructions="Ask “größe” first.", **(http if IS_FIRST else {}))


class Sum(BaseModel):
    total: int


class Name(BaseModel):
    name: str


@server.tool()
def echo(text: str) -> str:
    """Gives back what it gets."""
    return text


@server.tool()
def add(a: int, b: int) -> Sum:
    """Adds two numbers."""
    return Sum(total=a + b)


@server.tool()
def fail(why: Annotated[str, Field(description="What is said")]) -> str:
    """Fails with what it gets."""
    raise ValueError(why)


@server.tool()
def pixel() -> Image:
    """An image."""
    return Image(data=b"\x89PNG\r\n\x1a\n", format="png")


@server.tool()
async def count(to: int, ctx: Context) -> str:
    """Counts, and tells how far it is."""
    for step in range(1, to + 1):
        await ctx.report_progress(step, to, f"step {step}")
        await asyncio.sleep(0.02)
    return f"counted to {to}"


@server.tool()
async def ask(ctx: Context) -> str:
    """Asks the person for a name."""
    answer = await ctx.elicit("What is your name?", Name)
    return f"{answer.action} {answer.data.name if answer.action == 'accept' else ''}".strip()


@server.resource("note://one", mime_type="text/plain")
def one() -> str:
    """A note."""
    return "first\nsecond"


@server.resource("greeting://{name}")
def greeting(name: str) -> str:
    """Greets."""
    return f"Hello, {name}!"


@server.prompt()
def review(code: str) -> str:
    """Asks for a review."""
    return f"Review this: {code}"


@server.completion()
async def complete(ref, argument, context):
    return Completion(values=[f"{argument.value}-{end}" for end in ("a", "b")], total=2, hasMore=False)


server.run("streamable-http", **({} if IS_FIRST else http))
