import { beforeAll, describe, expect, it } from 'vitest';
import { baseFarmForFile } from '../../../base-farm.ts';
import {
  bodyOf,
  connectForFile,
  firstText,
  type McpSession,
  refusalOf,
  serverArguments,
} from '../../mcp-session.ts';
import type { Json } from '../../program.ts';
import { newBlock } from '../own-block.ts';
import { accept, type FormSession, withForms } from './form-session.ts';

let forms: FormSession;
let withoutForms: McpSession;
beforeAll(async () => {
  const args = serverArguments(await baseFarmForFile(), { lang: 'en' });
  forms = await withForms(await connectForFile(args, { capabilities: { elicitation: {} } }));
  withoutForms = await connectForFile(args);
});

const LOAM = 6;

/** Declares loam, whose field capacity is at 28 %. */
async function probeInLoam(): Promise<string> {
  const { parcel, probes } = await newBlock(forms.call, null);
  const layers = [{ soilHorizonId: LOAM, depthTopCm: 0, depthBottomCm: 60 }];
  bodyOf(await forms.call('set_soil_profile', { parcel, layers }));
  return probes[0];
}

/** A field capacity 13 points above that of the class. */
const draw = (module: string) => ({
  module,
  type: 'h-line',
  unit: 'vwc',
  value: 41,
  style: { fill: 'threshold1' },
});

const linesOf = async (module: string): Promise<Json[]> =>
  bodyOf(await forms.call('list_annotations', { module, chartType: 'humidity' })).data;

const doubtsOf = async (module: string) => {
  const advice = bodyOf(await forms.call('advise_watering', { module }));
  const state = bodyOf(await forms.call('get_agronomic_state', { module }));
  expect(/is drawn at 41 %/.test(advice.summary)).toBe('doubtedLines' in advice);
  return [advice.doubtedLines, state.doubtedLines];
};

describe('a line that its soil does not explain', () => {
  it('is asked about in a form, and confirmed by yes', async () => {
    const module = await probeInLoam();
    const questions = forms.answerWith(accept({ confirm: true }));
    const result = await forms.call('create_annotation', draw(module));
    expect(questions).toMatchObject([
      {
        message: expect.stringMatching(/41 %.*28 %/),
        requestedSchema: { properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
      },
    ]);
    expect(firstText(result)).not.toContain('28 %');
    expect(await linesOf(module)).toMatchObject([{ p1: [expect.any(Number), 41] }]);
    expect(await doubtsOf(module)).toEqual([undefined, undefined]);
  });

  it('is asked about when it is moved there, and stays where it was after no', async () => {
    const module = await probeInLoam();
    const questions = forms.answerWith({ action: 'decline' });
    const { id: annotationId } = bodyOf(
      await forms.call('create_annotation', { ...draw(module), value: 30 }),
    );
    expect(questions).toEqual([]);
    const moved = { annotationId, value: 41 };
    expect(refusalOf(await forms.call('update_annotation', moved)).code).toBe('NOT_CONFIRMED');
    expect(await linesOf(module)).toMatchObject([{ p1: [expect.any(Number), 30] }]);
    forms.answerWith(accept({ confirm: true }));
    bodyOf(await forms.call('update_annotation', moved));
    expect(await doubtsOf(module)).toEqual([undefined, undefined]);
  });

  it('is drawn with an advisory for a client without forms, and confirmed by drawing it again', async () => {
    const module = await probeInLoam();
    const first = await withoutForms.call('create_annotation', draw(module));
    expect(firstText(first)).toMatch(/drawn at 41 %, but its texture class has 28 %/);
    expect(JSON.stringify(bodyOf(first).next)).toContain('undo');
    const doubt = { line: 'fieldCapacity', height: 41, basis: 'soil_profile' };
    expect(await doubtsOf(module)).toMatchObject([[doubt], [doubt]]);

    const questions = forms.answerWith();
    bodyOf(await forms.call('create_annotation', draw(module)));
    expect(questions).toEqual([]);
    expect(await doubtsOf(module)).toEqual([undefined, undefined]);
  });
});
