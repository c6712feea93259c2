import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { CompanyChangeListener } from '../company-changes.ts';
import { clientConfig } from './pool.ts';

const CHANNEL = 'acequia_firing_alerts';

/** The server delivers the notification at the commit. Its payload is the company's id. */
export const NOTIFY_CHANGE = `select pg_notify('${CHANNEL}', $1)`;

const FIRST_RECONNECT_MS = 250;
const MAX_RECONNECT_MS = 10_000;

/** Emits null after each new connection, because notifications sent before it are lost. */
export function listenForChanges(url: string, emit: CompanyChangeListener): () => void {
  const stopping = new AbortController();
  void keepListening(url, emit, stopping.signal);
  return () => stopping.abort();
}

async function keepListening(url: string, emit: CompanyChangeListener, signal: AbortSignal): Promise<void> {
  let waitMs = FIRST_RECONNECT_MS;
  while (!signal.aborted) {
    const onListening = (): void => {
      waitMs = FIRST_RECONNECT_MS;
      emit(null);
    };
    await listenUntilLost(url, { emit, onListening, signal });
    // Without `ref` the timer does not keep an otherwise finished process alive.
    await pause(waitMs, undefined, { ref: false, signal }).catch(() => undefined);
    waitMs = Math.min(2 * waitMs, MAX_RECONNECT_MS);
  }
}

interface ListenOptions {
  readonly emit: CompanyChangeListener;
  readonly onListening: () => void;
  readonly signal: AbortSignal;
}

async function listenUntilLost(url: string, { emit, onListening, signal }: ListenOptions): Promise<void> {
  const client = new pg.Client(clientConfig(url));
  const lost = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  client.on('notification', ({ payload }) => {
    if (!signal.aborted) emit(Number(payload));
  });
  const listening = client.connect().then(() => client.query(`listen ${CHANNEL}`));
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
