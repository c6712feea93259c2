// Source: the extension io.modelcontextprotocol/ui (MCP Apps), revision 2026-01-26.

import { readFile } from 'node:fs/promises';
import { isRecord } from '../domain/records.ts';
import { quote } from '../domain/strings.ts';
import { type ReadResourceResult, ResourceNotFoundError } from './protocol.ts';

const APPS_EXTENSION = 'io.modelcontextprotocol/ui';

export const APP_MIME_TYPE = 'text/html;profile=mcp-app';

export const pageUri = (hash: string): string => `ui://acequia/page@${hash}`;

export const isPageUri = (uri: string): boolean => uri.startsWith('ui:');

/** The page is one file, which needs no network. */
export const PAGE_META = {
  ui: {
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    prefersBorder: true,
  },
};

/**
 * The URI changes with the content, because hosts cache what they read. A conversation may refer to
 * an older page.
 */
export async function readPage(uri: string, hash: string): Promise<ReadResourceResult> {
  if (!/^ui:\/\/acequia\/page@[0-9a-f]+$/.test(uri))
    throw new ResourceNotFoundError(
      uri,
      `There is no page ${quote(uri)}. The page is ${pageUri(hash)}.`,
    );

  const text = await readFile(new URL('./chat-page.html', import.meta.url), 'utf8');
  return { contents: [{ uri, mimeType: APP_MIME_TYPE, text, _meta: PAGE_META }] };
}

/** True if a client with these capabilities renders pages of tools. */
export function rendersApps(capabilities: unknown): boolean {
  const extensions = isRecord(capabilities) ? capabilities.extensions : undefined;
  const extension = isRecord(extensions) ? extensions[APPS_EXTENSION] : undefined;
  return (
    isRecord(extension) &&
    Array.isArray(extension.mimeTypes) &&
    extension.mimeTypes.includes(APP_MIME_TYPE)
  );
}
