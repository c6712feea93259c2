import { describe, expect, it } from 'vitest';
import { judgeResponse } from '../../../../src/domain/advice/probe/response-conditions.ts';
import type { RainContribution } from '../../../../src/domain/weather/rain.ts';
import { DAY, HOUR } from '../../../time.ts';

const ROSE_AT = [10 * DAY, 7 * DAY, 4 * DAY];
const startedAt = ROSE_AT.map((at) => at + 9 * HOUR);
const RESPONSE = {
  unseen: null,
  logShift: {
    days: -2,
    startedAt,
    roseAt: ROSE_AT,
    isEitherWay: false,
    rises: ROSE_AT,
    record: { start: 0, end: 14 * DAY },
  },
  early: { hours: 9, startedAt, roseAt: ROSE_AT },
};

const rainAt = (startedAtMs: number): RainContribution => ({
  record: {
    id: 1,
    startedAt: startedAtMs,
    endedAt: startedAtMs + 2 * HOUR,
    mm: 12,
    parcelId: null,
    moduleId: null,
    localDay: '1970-01-08',
    isWholeDay: false,
  },
  mm: 12,
});

describe('rises at other times than the log', () => {
  it('are of its waterings where no rain was recorded then', () => {
    expect(judgeResponse(RESPONSE, [])).toEqual(RESPONSE);
    expect(judgeResponse(RESPONSE, [rainAt(8 * DAY + 12 * HOUR)])).toEqual(RESPONSE);
  });

  it('are of rain that was recorded before one of them', () => {
    expect(judgeResponse(RESPONSE, [rainAt(7 * DAY - HOUR)])).toEqual({
      unseen: null,
      logShift: null,
    });
  });
});
