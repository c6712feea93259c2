import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';

/** How often it is looked whether another process has changed something, in ms. */
const EVERY_MS = 2_000;

/** What one client has subscribed to. */
export interface Subscriptions {
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): void;
  /** Looks now: this process has just written. */
  look(): void;
  end(): void;
}

/** The resource that can be subscribed to, and how its changes are noticed. */
export interface Watched {
  readonly uri: string;
  /** A text that differs when the resource does; null where it cannot be told. Throws McpError of status 401 or 403 where the client may not be told. */
  fingerprint(): Promise<string | null>;
  changed(): Promise<void>;
}

const isRefusal = (error: unknown): boolean =>
  error instanceof McpError && [401, 403].includes((error.data as { status?: number } | undefined)?.status ?? 0);

/** Subscriptions to the one resource that has them: from a subscription on every change is told once. */
export function subscriptionsTo({ uri, fingerprint, changed }: Watched): Subscriptions {
  let isOn = false;
  let known: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** What reads takes turns, so that a change is not told twice. */
  let last: Promise<void> = Promise.resolve();
  /** Refuses as the subscription that is on did. */
  let begun: Promise<void> = last;

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
  async function begin(): Promise<void> {
    known = await read();
  }

  async function compare(): Promise<void> {
    if (!isOn) return;
    const now = await read();
    if (!isOn || now === null || now === known) return;
    known = now;
    await changed();
  }

  function wait(): void {
    clearTimeout(timer);
    if (!isOn) return;
    // A process that has nothing else to do ends.
    timer = setTimeout(() => void inTurn(compare).then(wait), EVERY_MS).unref();
  }

  const end = (): void => {
    isOn = false;
    clearTimeout(timer);
  };

  function refuseOther(asked: string): void {
    if (asked === uri) return;
    throw new McpError(
      ErrorCode.InvalidParams,
      `There is no subscription to ${JSON.stringify(asked)}: only ${uri} is told of when it changes. Read the others anew.`,
    );
  }

  return {
    async subscribe(asked) {
      refuseOther(asked);
      if (isOn) return begun;
      isOn = true;
      begun = last.then(begin).catch((error) => {
        end();
        throw error;
      });
      last = begun.catch(() => undefined);
      await begun;
      wait();
    },
    unsubscribe(asked) {
      refuseOther(asked);
      end();
    },
    look: () => void inTurn(compare),
    end,
  };
}
