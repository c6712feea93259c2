export {
  DAY_MS as DAY,
  HOUR_MS as HOUR,
  MINUTE_MS as MINUTE,
  SECOND_MS as SECOND,
} from '../src/domain/periods.ts';

export const iso = (ms: number): string => new Date(ms).toISOString();
