import { describe, expect, it } from 'vitest';
import type { ServiceCall } from '../../../src/page/service/page-operations.ts';
import { NO_ANSWER, type Service } from '../../../src/page/service/page-service.ts';
import { writerOnce } from '../../../src/page/service/write-once.ts';

const refusal = (code: string) => ({ code, message: code, hint: null });

/**
 * Answers as the service does: one write for a key, whose answer is repeated to the same fields
 * alone.
 */
function recordingService() {
  const written: unknown[] = [];
  const byKey = new Map<string, { fields: string; changeId: number }>();
  const next: ('lost' | 'never arrived' | string)[] = [];
  const service: Pick<Service, 'call'> = {
    async call(_operation, fields, { idempotencyKey = '' } = {}) {
      const fate = next.shift();
      if (fate === 'never arrived') throw refusal(NO_ANSWER);
      if (fate !== undefined && fate !== 'lost') throw refusal(fate);
      const stored = byKey.get(idempotencyKey);
      if (stored !== undefined && stored.fields !== JSON.stringify(fields))
        throw refusal('IDEMPOTENCY_KEY_REUSED');
      if (stored === undefined) {
        written.push(fields);
        byKey.set(idempotencyKey, { fields: JSON.stringify(fields), changeId: written.length });
      }
      if (fate === 'lost') throw refusal(NO_ANSWER);
      return { body: null as never, changeId: byKey.get(idempotencyKey)!.changeId };
    },
  };
  return { written, next, write: writerOnce(service as Service) };
}

const alertAt = (threshold: number): ServiceCall<'create_alert'> => ({
  operation: 'create_alert',
  fields: { moduleId: 1, threshold },
});

describe('a write whose answer is lost', () => {
  it('happens once when it is tried again', async () => {
    const { written, next, write } = recordingService();
    next.push('lost');
    await expect(write('alert', alertAt(22))).rejects.toMatchObject({ code: NO_ANSWER });
    expect(await write('alert', alertAt(22))).toMatchObject({ answer: { changeId: 1 } });
    expect(written).toEqual([alertAt(22).fields]);
  });

  it('is the one that is answered for when something else is tried instead', async () => {
    const { written, next, write } = recordingService();
    next.push('never arrived', 'lost');
    await expect(write('alert', alertAt(21))).rejects.toMatchObject({ code: NO_ANSWER });
    await expect(write('alert', alertAt(22))).rejects.toMatchObject({ code: NO_ANSWER });
    expect(await write('alert', alertAt(23))).toEqual({
      recorded: alertAt(22),
      answer: { body: null, changeId: 1 },
    });
    expect(written).toEqual([alertAt(22).fields]);
  });

  it('happens once even when a refusal comes between', async () => {
    const { written, next, write } = recordingService();
    next.push('lost', 'rate_limited');
    await expect(write('alert', alertAt(22))).rejects.toMatchObject({ code: NO_ANSWER });
    await expect(write('alert', alertAt(22))).rejects.toMatchObject({ code: 'rate_limited' });
    await write('alert', alertAt(22));
    expect(written).toEqual([alertAt(22).fields]);
  });

  it('leaves other writes alone, and the same one once it was answered', async () => {
    const { written, next, write } = recordingService();
    next.push('lost');
    await expect(write('alert', alertAt(22))).rejects.toMatchObject({ code: NO_ANSWER });
    await write('line', alertAt(15));
    await write('alert', alertAt(22));
    await write('alert', alertAt(22));
    expect(written).toHaveLength(3);
  });

  it('takes a refusal for an answer', async () => {
    const { written, next, write } = recordingService();
    next.push('not_found');
    await expect(write('alert', alertAt(22))).rejects.toMatchObject({ code: 'not_found' });
    await write('alert', alertAt(23));
    expect(written).toEqual([alertAt(23).fields]);
  });
});
