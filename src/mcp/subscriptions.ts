import { ProtocolError, ProtocolErrorCode } from './protocol.ts';

const POLL_INTERVAL_MS = 2_000;

export interface Subscriptions {
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): void;
  checkNow(): void;
  end(): void;
}

export interface SubscribableResource {
  readonly uri: string;
  /** Null if unknown. Throws ProtocolError with status 401 or 403 for callers who may not read the resource. */
  fingerprint(): Promise<string | null>;
  notifyChanged(): Promise<void>;
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ProtocolError && [401, 403].includes((error.data as { status?: number } | undefined)?.status ?? 0);

export function createSubscriptions({ uri, fingerprint, notifyChanged }: SubscribableResource): Subscriptions {
  let isOn = false;
  let lastFingerprint: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** Reads run one after another, so that no change is notified twice. */
  let last: Promise<void> = Promise.resolve();
  let subscribed: Promise<void> = last;

  const read = (): Promise<string | null> =>
    fingerprint().catch((error) => {
      if (isRefusal(error)) throw error;
      return null;
    });

  const inSequence = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work).catch(() => undefined);
    return last;
  };

  async function readInitial(): Promise<void> {
    lastFingerprint = await read();
  }

  async function compare(): Promise<void> {
    if (!isOn) return;
    const now = await read();
    if (!isOn || now === null || now === lastFingerprint) return;
    lastFingerprint = now;
    await notifyChanged();
  }

  function wait(): void {
    clearTimeout(timer);
    if (!isOn) return;
    timer = setTimeout(() => void inSequence(compare).then(wait), POLL_INTERVAL_MS).unref();
  }

  const end = (): void => {
    isOn = false;
    clearTimeout(timer);
  };

  function refuseOtherUri(requestedUri: string): void {
    if (requestedUri === uri) return;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${JSON.stringify(requestedUri)} has no subscriptions: only ${uri} has. Read the others again when needed.`,
    );
  }

  return {
    async subscribe(requestedUri) {
      refuseOtherUri(requestedUri);
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
    unsubscribe(requestedUri) {
      refuseOtherUri(requestedUri);
      end();
    },
    checkNow: () => void inSequence(compare),
    end,
  };
}
