import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';

/** How often it is looked whether another process has changed something, in ms. */
const POLL_INTERVAL_MS = 2_000;

/** What one client has subscribed to. */
export interface Subscriptions {
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): void;
  /** Looks now: this process has just written. */
  checkNow(): void;
  end(): void;
}

/** The resource that can be subscribed to, and how its changes are noticed. */
export interface SubscribableResource {
  readonly uri: string;
  /** A text that differs when the resource does; null where it cannot be told. Throws McpError of status 401 or 403 where the client may not be told. */
  fingerprint(): Promise<string | null>;
  notifyChanged(): Promise<void>;
}

const isRefusal = (error: unknown): boolean =>
  error instanceof McpError && [401, 403].includes((error.data as { status?: number } | undefined)?.status ?? 0);

/** Subscriptions to the one resource that has them: from a subscription on every change is told once. */
export function createSubscriptions({ uri, fingerprint, notifyChanged }: SubscribableResource): Subscriptions {
  let isOn = false;
  let known: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** What reads takes turns, so that a change is not told twice. */
  let last: Promise<void> = Promise.resolve();
  /** Refuses as the subscription that is on did. */
  let subscribed: Promise<void> = last;

  const read = (): Promise<string | null> =>
    fingerprint().catch((error) => {
      if (isRefusal(error)) throw error;
      return null;
    });

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work).catch(() => undefined);
    return last;
  };

  /** What stands now is what the client reads; all that comes after is told. */
  async function readInitial(): Promise<void> {
    known = await read();
  }

  async function compare(): Promise<void> {
    if (!isOn) return;
    const now = await read();
    if (!isOn || now === null || now === known) return;
    known = now;
    await notifyChanged();
  }

  function wait(): void {
    clearTimeout(timer);
    if (!isOn) return;
    // A process that has nothing else to do ends.
    timer = setTimeout(() => void inTurn(compare).then(wait), POLL_INTERVAL_MS).unref();
  }

  const end = (): void => {
    isOn = false;
    clearTimeout(timer);
  };

  function refuseOtherUri(asked: string): void {
    if (asked === uri) return;
    throw new McpError(
      ErrorCode.InvalidParams,
      `${JSON.stringify(asked)} has no subscriptions: only ${uri} has. Read the others again when needed.`,
    );
  }

  return {
    async subscribe(asked) {
      refuseOtherUri(asked);
      if (isOn) return subscribed;
      isOn = true;
      subscribed = last.then(readInitial).catch((error) => {
        end();
        throw error;
      });
      last = subscribed.catch(() => undefined);
      await subscribed;
      wait();
    },
    unsubscribe(asked) {
      refuseOtherUri(asked);
      end();
    },
    checkNow: () => void inTurn(compare),
    end,
  };
}
