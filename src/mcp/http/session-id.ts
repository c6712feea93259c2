import { randomUUID } from 'node:crypto';
import { isRecord } from '../../domain/records.ts';
import { rendersApps } from '../apps.ts';
import { showsForms } from '../request-context.ts';

/** The facts of its client that a session of the earlier era holds. */
export interface SessionState {
  readonly rendersApps: boolean;
  readonly hasForms: boolean;
}

/** For a client that has sent no session id. */
export const NO_SESSION: SessionState = { rendersApps: false, hasForms: false };

const SESSION_ID = /^(apps-)?(forms-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * In the earlier era a client sends its capabilities once, in `initialize`. No session is stored:
 * the id, which the client sends with each request from then on, says itself what the client can
 * do. A client that can do neither gets no id.
 */
export function sessionIdFor(params: unknown): string | undefined {
  const capabilities = isRecord(params) ? params.capabilities : undefined;
  const apps = rendersApps(capabilities) ? 'apps-' : '';
  const forms = showsForms(capabilities) ? 'forms-' : '';
  return apps || forms ? `${apps}${forms}${randomUUID()}` : undefined;
}

/** Null for an id that this server did not create. */
export function readSessionId(id: string | null): SessionState | null {
  if (id === null) return NO_SESSION;

  const [match, apps, forms] = SESSION_ID.exec(id) ?? [];
  if (match === undefined || (apps ?? forms) === undefined) return null;
  return { rendersApps: apps !== undefined, hasForms: forms !== undefined };
}
