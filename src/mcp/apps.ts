// Source: the extension io.modelcontextprotocol/ui (MCP Apps), revision 2026-01-26.
import { readFile } from 'node:fs/promises';
import { quote } from '../language/text.ts';
import { type ReadResourceResult, ResourceNotFoundError } from './protocol.ts';
import { isRecord } from './raw-arguments.ts';

export const APPS_EXTENSION = 'io.modelcontextprotocol/ui';

export const APP_MIME_TYPE = 'text/html;profile=mcp-app';

export const pageUri = (hash: string): string => `ui://acequia/page@${hash}`;

export const isPageUri = (uri: string): boolean => uri.startsWith('ui:');

/** It is one file, which needs no network. */
export const PAGE_META = {
  ui: {
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    prefersBorder: true,
  },
};

/** The name changes with the content, since hosts keep what they have read. A conversation may name an older page. */
export async function readPage(uri: string, hash: string): Promise<ReadResourceResult> {
  if (!/^ui:\/\/acequia\/page@[0-9a-f]+$/.test(uri))
    throw new ResourceNotFoundError(uri, `There is no page ${quote(uri)}. The page is ${pageUri(hash)}.`);
  const text = await readFile(new URL('./page.html', import.meta.url), 'utf8');
  return { contents: [{ uri, mimeType: APP_MIME_TYPE, text, _meta: PAGE_META }] };
}

/** Whether a client with these capabilities shows pages of tools to the person. */
export function rendersApps(capabilities: unknown): boolean {
  const extensions = isRecord(capabilities) ? capabilities.extensions : undefined;
  const extension = isRecord(extensions) ? extensions[APPS_EXTENSION] : undefined;
  return isRecord(extension) && Array.isArray(extension.mimeTypes) && extension.mimeTypes.includes(APP_MIME_TYPE);
}
