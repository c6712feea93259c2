import type { AcequiaError } from '../schema/error.ts';

/** A refusal as it stands on standard error: what is wrong, then what to do. */
export const formatRefusal = ({ message, hint }: AcequiaError): string => `${message}\n${hint ? `${hint}\n` : ''}`;
