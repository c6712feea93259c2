import type { ElicitResult } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, refusalOf } from '../../mcp-session.ts';
import type { Json } from '../../program.ts';
import { sharedRestService } from '../../rest-service.ts';
import { CONNECTION_KINDS, type Connection, openConnection } from '../eras/connections.ts';

const service = sharedRestService();
const HTTP_KINDS = CONNECTION_KINDS.filter(({ transport }) => transport === 'HTTP');

describe.each(HTTP_KINDS)('a deletion over HTTP in $revision', (kind) => {
  const canAsk = kind.revision === '2026-07-28';
  let withForms: Connection;
  let withoutForms: Connection;
  let [answer, questions]: [ElicitResult, string[]] = [{ action: 'decline' }, []];
  beforeAll(async () => {
    withoutForms = await openConnection(service(), kind);
    withForms = await openConnection(service(), kind, ({ message }) => {
      questions.push(message);
      return answer;
    });
  });
  const willAnswer = (next: ElicitResult): void => {
    [answer, questions] = [next, []];
  };

  async function newLine(value: number): Promise<number> {
    const line = { module: 'North 1', type: 'h-line', unit: 'vwc', value };
    return bodyOf(await withoutForms.call('create_annotation', line)).id;
  }
  const isDrawn = async (id: number): Promise<boolean> => {
    const listed = await withoutForms.call('list_annotations', { module: 'North 1', limit: 200 });
    return bodyOf(listed).data.some((annotation: Json) => annotation.id === id);
  };

  it('is refused to a client with forms unless the person confirms it', async () => {
    willAnswer({ action: 'decline' });
    const annotationId = await newLine(14);

    const refusal = refusalOf(await withForms.call('delete_annotation', { annotationId }));
    expect(questions).toHaveLength(canAsk ? 1 : 0);
    expect(refusal.code).toBe(canAsk ? 'NOT_CONFIRMED' : 'CONFIRMATION_REQUIRED');
    expect(refusal.message).toMatch(/nothing was changed/i);
    if (!canAsk) {
      expect(refusal.message).toContain('Supprimer ce tracé');
      expect(refusal.hint).toMatch(/Ask them.*delete_annotation again.*confirm: true/);
    }
    expect(await isDrawn(annotationId)).toBe(true);
  });

  it('is done once the person has confirmed it, in the form or to the assistant', async () => {
    willAnswer({ action: 'accept', content: { confirm: true } });
    const annotationId = await newLine(15);

    const args = { annotationId, confirm: true };
    expect(bodyOf(await withForms.call('delete_annotation', args)).success).toBe(true);
    expect(questions).toHaveLength(canAsk ? 1 : 0);
    expect(await isDrawn(annotationId)).toBe(false);
  });

  it('needs the form even where the assistant says that it has asked', async () => {
    willAnswer({ action: 'decline' });
    const annotationId = await newLine(16);

    for (const confirm of [canAsk, false, 'no', '', null])
      refusalOf(await withForms.call('delete_annotation', { annotationId, confirm }));
    expect(await isDrawn(annotationId)).toBe(true);
  });

  it('is done at once for a client without forms', async () => {
    const annotationId = await newLine(17);
    bodyOf(await withoutForms.call('delete_annotation', { annotationId }));
    expect(await isDrawn(annotationId)).toBe(false);
  });

  it('needs to be confirmed like an undo of what another key wrote', async () => {
    willAnswer({ action: 'decline' });
    const rain = await withoutForms.call('log_rain', { mm: 4, when: '2026-06-20' });
    const { changeId } = bodyOf(rain);
    expect(refusalOf(await withForms.call('undo', { changeId })).code).toBe(
      canAsk ? 'NOT_CONFIRMED' : 'CONFIRMATION_REQUIRED',
    );
    willAnswer({ action: 'accept', content: { confirm: true } });
    bodyOf(await withForms.call('undo', { changeId, confirm: true }));
  });

  it('takes confirm for what needs no confirmation as an unknown argument', async () => {
    const refusal = refusalOf(await withForms.call('list_alerts', { confirm: true }));
    expect(refusal.message).toContain('no argument "confirm"');
  });
});
