import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { ChangedModules, CompanyChange } from '../changes/collected-changes.ts';
import type { CompanyChangeListener } from '../company-changes.ts';
import { Session } from './session.ts';

export const CHANNEL = 'acequia_company_changes';

/** Announces a list of payloads. */
export const NOTIFY = `select pg_notify('${CHANNEL}', payload) from unnest($1::text[]) as payload`;

/** The server accepts fewer than 8000 bytes. Source: PostgreSQL documentation, NOTIFY. */
const MAX_PAYLOAD_LENGTH = 7_900;

/**
 * A payload has the store that announces, a space, and the changes, such as `7` for the farm of
 * company 7 and `7:3.4` for its modules 3 and 4.
 */
export function payloadsOf(origin: string, changes: readonly CompanyChange[]): string[] {
  const payloads: string[] = [];
  for (const { companyId, modules } of changes) {
    const change = modules === null ? `${companyId}` : `${companyId}:${modules.join('.')}`;
    const last = payloads.at(-1);
    const isFull = last === undefined || last.length + `,${change}`.length > MAX_PAYLOAD_LENGTH;
    if (isFull) payloads.push(`${origin} ${change}`);
    else payloads[payloads.length - 1] = `${last},${change}`;
  }
  return payloads;
}

export function changesIn(payload: string): { origin: string; changes: CompanyChange[] } {
  const [origin = '', changes = ''] = payload.split(' ');
  return { origin, changes: changes.split(',').map(changeIn) };
}

function changeIn(text: string): CompanyChange {
  const [companyId, modules] = text.split(':');
  return { companyId: Number(companyId), modules: modulesIn(modules) };
}

function modulesIn(text: string | undefined): ChangedModules {
  if (text === undefined) return null;
  return text === '' ? [] : text.split('.').map(Number);
}

const FIRST_RECONNECT_MS = 250;
const MAX_RECONNECT_MS = 10_000;

/**
 * Emits null after each new connection, because notifications sent before it are lost. Leaves out
 * what the store with this origin announces, whose listeners were called at the commit.
 */
export function listenForChanges(
  url: string,
  origin: string,
  emit: CompanyChangeListener,
): () => void {
  const stop = new AbortController();
  void keepListening(url, { origin, emit, signal: stop.signal });
  return () => stop.abort();
}

interface Subscription {
  readonly origin: string;
  readonly emit: CompanyChangeListener;
  readonly signal: AbortSignal;
}

async function keepListening(url: string, subscription: Subscription): Promise<void> {
  const { emit, signal } = subscription;
  let waitMs = FIRST_RECONNECT_MS;

  while (!signal.aborted) {
    const onListening = (): void => {
      waitMs = FIRST_RECONNECT_MS;
      emit(null);
    };
    await listenUntilLost(url, subscription, onListening);
    // Without `ref` the timer does not keep an otherwise finished process alive.
    await pause(waitMs, undefined, { ref: false, signal }).catch(() => undefined);
    waitMs = Math.min(2 * waitMs, MAX_RECONNECT_MS);
  }
}

async function listenUntilLost(
  url: string,
  { origin, emit, signal }: Subscription,
  onListening: () => void,
): Promise<void> {
  const session = new Session(url);
  const client = new pg.Client(session.config);
  const lost = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

  client.on('notification', ({ payload = '' }) => {
    const announcement = changesIn(payload);
    if (signal.aborted || announcement.origin === origin) return;
    for (const change of announcement.changes) emit(change);
  });

  const listening = session.connect(client).then(() => client.query(`listen ${CHANNEL}`));
  try {
    await Promise.race([listening, lost]);
    if (!signal.aborted) {
      onListening();
      await lost;
    }
  } catch {
    // The caller connects again; other queries report why the server cannot be reached.
  } finally {
    listening.catch(() => undefined);
    void client.end().catch(() => undefined);
  }
}
