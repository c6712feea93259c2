// Source: the extension io.modelcontextprotocol/ui (MCP Apps), revision 2026-01-26.
import { isRecord } from './raw-arguments.ts';

export const APPS_EXTENSION = 'io.modelcontextprotocol/ui';

export const APP_MIME_TYPE = 'text/html;profile=mcp-app';

/** Whether a client with these capabilities shows pages of tools to the person. */
export function rendersApps(capabilities: unknown): boolean {
  const extensions = isRecord(capabilities) ? capabilities.extensions : undefined;
  const extension = isRecord(extensions) ? extensions[APPS_EXTENSION] : undefined;
  return isRecord(extension) && Array.isArray(extension.mimeTypes) && extension.mimeTypes.includes(APP_MIME_TYPE);
}
