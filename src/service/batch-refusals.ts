import { AcequiaError } from '../schema/error.ts';

/**
 * Whether waiting mends nothing. A key or an address that was never good for it is a mistake that is told at once; of one
 * that was, it may be so again: nobody may be there to start the intake anew.
 */
export const isPermanentFailure = (error: unknown, hasSucceeded: boolean): boolean =>
  error instanceof AcequiaError &&
  error.status < 500 &&
  ![408, 429].includes(error.status) &&
  !(hasSucceeded && [401, 403, 404].includes(error.status));

/** Whether less at once may be taken. */
export const isBatchTooLarge = (error: unknown): boolean => error instanceof AcequiaError && error.status === 413;
