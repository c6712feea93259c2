import { AcequiaError } from '../schema/error.ts';

/** Null for a module that is listed and was never commissioned: there is nothing to read of it. */
export async function nullIfNotFound<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AcequiaError && error.status === 404) return null;
    throw error;
  }
}
