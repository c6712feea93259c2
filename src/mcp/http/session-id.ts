import { randomUUID } from 'node:crypto';
import { rendersApps } from '../apps.ts';
import { isRecord } from '../raw-arguments.ts';

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
