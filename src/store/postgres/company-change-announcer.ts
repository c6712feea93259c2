import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { CollectedChanges, type CompanyChange } from '../changes/collected-changes.ts';
import { NOTIFY, payloadsOf } from './company-change-channel.ts';
import { Session } from './session.ts';

/** The pause between announcements, each of which has all changes since the one before. */
const ANNOUNCE_EVERY_MS = 250;
/** A connection without announcements is closed after this long. */
const IDLE_MS = 30_000;
const ANNOUNCE_TIMEOUT_MS = 10_000;
/** How long a store that closes waits for its last announcement. */
const LAST_ANNOUNCEMENT_MS = 1_000;

/** The pause doubles with each failure, up to this. */
const MAX_PAUSE_MS = 10_000;

/**
 * Tells other processes what changed, after the commits. Notifications inside the transactions that
 * write would make their commits wait for each other, because the server lets one notifying
 * transaction commit at a time.
 */
export class CompanyChangeAnnouncer {
  readonly #url: string;
  readonly #origin: string;
  readonly #changes = new CollectedChanges();
  #client: pg.Client | null = null;
  #sending: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = ANNOUNCE_EVERY_MS;
  #nextAt = 0;
  #isClosed = false;

  constructor(url: string, origin: string) {
    this.#url = url;
    this.#origin = origin;
  }

  add(changes: readonly CompanyChange[]): void {
    for (const change of changes) this.#changes.add(change);
    if (this.#sending === null) this.#schedule();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const timeout = new AbortController();
    const { signal } = timeout;
    const timedOut = pause(LAST_ANNOUNCEMENT_MS, undefined, { signal }).catch(() => undefined);
    await Promise.race([this.#sendRemaining(), timedOut]);

    timeout.abort();
    this.#disconnect();
  }

  async #sendRemaining(): Promise<void> {
    await this.#sending;
    if (!this.#changes.isEmpty) await this.#send();
  }

  /**
   * Schedules the next announcement or, without changes, the end of the connection. `unref` keeps
   * the timers from keeping an otherwise finished process alive.
   */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    if (this.#changes.isEmpty) {
      this.#timer = setTimeout(() => this.#disconnect(), IDLE_MS).unref();
      return;
    }
    const waitMs = Math.max(0, this.#nextAt - performance.now());
    this.#timer = setTimeout(() => this.#startSending(), waitMs).unref();
  }

  #startSending(): void {
    this.#sending = this.#send().finally(() => {
      this.#sending = null;
      this.#schedule();
    });
  }

  /** Changes that could not be announced are announced with the next ones. */
  async #send(): Promise<void> {
    const changes = this.#changes.take();

    try {
      const client = await this.#connectedClient();
      await client.query(NOTIFY, [payloadsOf(this.#origin, changes)]);
      this.#pauseMs = ANNOUNCE_EVERY_MS;
    } catch {
      for (const change of changes) this.#changes.add(change);
      this.#disconnect();
      this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
    }

    this.#nextAt = performance.now() + this.#pauseMs;
  }

  async #connectedClient(): Promise<pg.Client> {
    if (this.#client !== null) return this.#client;
    // An announcement may be lost, since listeners also read again, so it need not wait for the
    // disk.
    const session = new Session(this.#url, { synchronous_commit: 'off' });
    const client = new pg.Client({ ...session.config, query_timeout: ANNOUNCE_TIMEOUT_MS });
    client.on('error', () => this.#drop(client));
    client.on('end', () => this.#drop(client));
    this.#client = client;
    await session.connect(client);
    return client;
  }

  #drop(client: pg.Client): void {
    if (this.#client === client) this.#client = null;
  }

  #disconnect(): void {
    void this.#client?.end().catch(() => undefined);
    this.#client = null;
  }
}
