"""The Python SDK."""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

options = json.loads(sys.argv[1])
steps = options["steps"]


def server():
    if "url" in options:
        http = create_mcp_http_client(headers=options["headers"])
        return streamable_http_client(options["url"], http_client=http)
    command, *args = options["command"]
    return StdioServerParameters(command=command, args=args)


async def main():
    mode = "2026-07-28" if options["mode"] == "modern" else options["mode"]
    async with Client(server(), mode=mode) as client:
        seen = {
            "list": await client.list_tools(),
            "call": await client.call_tool(steps["call"]["name"], steps["call"]["arguments"]),
            "picture": await client.call_tool(steps["picture"]["name"], steps["picture"]["arguments"]),
            "resource": await client.read_resource(steps["resource"]["uri"]),
            "prompt": await client.get_prompt(steps["prompt"]["name"], steps["prompt"].get("arguments")),
        }
        print(json.dumps({name: each.model_dump(mode="json", by_alias=True) for name, each in seen.items()}))


asyncio.run(main())
