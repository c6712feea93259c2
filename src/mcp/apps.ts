// Source: the extension io.modelcontextprotocol/ui (MCP Apps), revision 2026-01-26.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { quote } from '../language/text.ts';
import { isRecord, type ReadResourceResult, ResourceNotFoundError } from './protocol.ts';

const APPS_EXTENSION = 'io.modelcontextprotocol/ui';

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

/**
 * In the earlier age a client tells its capabilities once, in `initialize`. No session is kept: the id that the client then
 * sends with each request says itself what is needed of them. Without apps there is nothing to say, and no id.
 */
export const sessionIdFor = (params: unknown): string | undefined =>
  isRecord(params) && rendersApps(params.capabilities) ? `${APPS_PREFIX}${randomUUID()}` : undefined;

/** Null for an id that this server does not give. */
export function readSessionId(id: string | null): { readonly rendersApps: boolean } | null {
  if (id === null) return { rendersApps: false };
  return APPS_SESSION.test(id) ? { rendersApps: true } : null;
}

const APPS_PREFIX = 'apps-';
const APPS_SESSION = /^apps-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
