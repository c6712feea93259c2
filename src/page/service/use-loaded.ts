import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isServiceError, NO_ANSWER, type ServiceError } from './page-service.ts';

interface Loaded<T> {
  readonly value: T | null;
  readonly error: ServiceError | null;
  load(): Promise<void>;
}

/** An event of the window: the person is no longer signed in. */
export const SIGNED_OUT = 'signed-out';

export const toServiceError = (error: unknown): ServiceError =>
  isServiceError(error) ? error : { code: NO_ANSWER, message: String(error), hint: null };

/** Dispatches SIGNED_OUT if the person is no longer signed in. */
export function reportError(failure: unknown): ServiceError {
  const error = toServiceError(failure);
  if (isSignedOut(error)) dispatchEvent(new Event(SIGNED_OUT));
  return error;
}

export const isSignedOut = ({ code }: ServiceError): boolean => code === 'unauthenticated';

/**
 * Loads at once and whenever `keys` change. The last value stays visible meanwhile, and when a
 * later load fails, unless the person is no longer signed in.
 */
export function useLoaded<T>(read: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ value: T | null; error: ServiceError | null }>({
    value: null,
    error: null,
  });
  const newest = useRef(0);
  const load = useCallback(async () => {
    const attempt = ++newest.current;
    const isNewest = (): boolean => attempt === newest.current;

    try {
      const value = await read();
      if (isNewest()) setState({ value, error: null });
    } catch (failure) {
      const error = reportError(failure);
      if (isNewest())
        setState(({ value }) => ({ value: isSignedOut(error) ? null : value, error }));
    }
  }, keys);

  useEffect(() => {
    void load();
    return () => {
      // The answer of a load that is still running is ignored.
      newest.current++;
    };
  }, [load]);

  return { ...state, load };
}
