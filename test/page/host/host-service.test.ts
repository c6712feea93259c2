import { describe, expect, it, vi } from 'vitest';
import { pageTools } from '../../../src/mcp/page-tools.ts';
import { toolFields } from '../../../src/operation/arguments/tool-fields.ts';
import type { HostBridge } from '../../../src/page/host/bridge.ts';
import {
  UNKNOWN_CONTEXT,
  wantedHeight,
  withHostContext,
} from '../../../src/page/host/host-context.ts';
import { hostService } from '../../../src/page/host/host-service.ts';
import { toAnswer, toToolCall } from '../../../src/page/host/tool-call.ts';
import { operationsByName } from '../../../tools/index.ts';

const TOOLS = pageTools();

describe('an operation as a call of its tool', () => {
  it.each([
    ['get_agronomic_state', { moduleId: 7 }, 'get_agronomic_state', { module: '#7' }],
    ['create_schedule', { targetParcelId: 3 }, 'create_schedule', { parcel: '#3' }],
    [
      'log_parcel_watering',
      { parcelId: 3, durationMin: 30 },
      'log_watering',
      { parcel: '#3', durationMin: 30, detail: 'full' },
    ],
    ['list_alerts', { moduleId: undefined, limit: 200 }, 'list_alerts', { limit: 200 }],
    ['list_alerts', {}, 'list_alerts', { limit: 50 }],
    [
      'get_moisture_series',
      { moduleId: 7, detail: 'concise' },
      'get_moisture_series',
      { module: '#7', maxPoints: 500, align: 'utc', detail: 'concise' },
    ],
    [
      'correct_watering',
      { eventId: 5, inputMode: 'depth_mm', inputDepthMm: 4, durationMin: null },
      'correct_watering',
      {
        eventId: 5,
        inputMode: 'depth_mm',
        inputDepthMm: 4,
        clear: ['durationMin'],
        detail: 'full',
      },
    ],
    // A new annotation has no field to clear.
    ['create_annotation', { moduleId: 7, until: null }, 'create_annotation', { module: '#7' }],
  ])('%s %j', (operation, fields, name, args) => {
    expect(toToolCall(operation, fields, {}, TOOLS)).toEqual({ name, arguments: args });
  });

  it('has the idempotency key of the write', () => {
    expect(toToolCall('undo', { changeId: 4 }, { idempotencyKey: 'k' }, TOOLS).arguments).toEqual({
      changeId: 4,
      idempotencyKey: 'k',
    });
  });

  it('names the argument of a field in the same way for every operation', () => {
    for (const [name, operation] of operationsByName)
      for (const field of toolFields(operation).byArgument.values())
        expect([name, field.name, TOOLS.references[field.name] ?? field.name]).toEqual([
          name,
          field.name,
          field.argument,
        ]);
  });
});

const SUMMARY = 'Logged 2.4 mm on North 1.';
const LOGGED = {
  content: [{ type: 'text', text: SUMMARY }],
  structuredContent: { summary: SUMMARY, changeId: 12, event: { id: 45, waterMm: 2.4 } },
};

describe('the answer of a tool', () => {
  it('is the body of the operation, with its summary and its change', () => {
    expect(toAnswer('log_watering', LOGGED, TOOLS)).toEqual({
      body: { event: { id: 45, waterMm: 2.4 } },
      summary: SUMMARY,
      changeId: 12,
    });
  });

  it('is read from its text if the host passes on only the text', () => {
    const content = [
      ...LOGGED.content,
      { type: 'text', text: JSON.stringify(LOGGED.structuredContent) },
    ];
    expect(toAnswer('log_watering', { content }, TOOLS)).toEqual(
      toAnswer('log_watering', LOGGED, TOOLS),
    );
  });

  it('may be null within its field', () => {
    const result = { structuredContent: { summary: 'None.', health: null } };
    expect(toAnswer('get_module_health', result, TOOLS)).toEqual({ body: null, summary: 'None.' });
  });

  it.each([
    [
      {
        isError: true,
        content: [],
        _meta: { 'acequia/error': { code: 'not_found', message: 'No probe.', hint: 'Ask.' } },
      },
      { code: 'not_found', message: 'No probe.', hint: 'Ask.' },
    ],
    [
      {
        isError: true,
        content: [
          { type: 'text', text: 'There is no such watering.' },
          { type: 'text', text: 'EVENT_NOT_FOUND: See list_waterings.' },
        ],
      },
      {
        code: 'EVENT_NOT_FOUND',
        message: 'There is no such watering.',
        hint: 'See list_waterings.',
      },
    ],
    [{ isError: true }, { code: 'NO_ANSWER', message: '', hint: null }],
    [{ content: [{ type: 'text', text: 'approved' }] }, { code: 'NO_ANSWER' }],
    [null, { code: 'NO_ANSWER' }],
    ['text', { code: 'NO_ANSWER' }],
  ])('%j is refused', (result, error) => {
    let thrown: unknown;
    try {
      toAnswer('log_watering', result, TOOLS);
    } catch (refusal) {
      thrown = refusal;
    }
    expect(thrown).toMatchObject(error);
  });
});

const WATERING = {
  moduleId: 1,
  startedAt: '2026-07-01T04:00:00Z',
  inputMode: 'duration',
  durationMin: 45,
} as const;

describe('the service of a page in a chat', () => {
  function serviceWith(answer: (method: string) => Promise<unknown>, canTellModel = true) {
    const request = vi.fn<HostBridge['request']>((method) => answer(method));
    const bridge: Pick<HostBridge, 'request'> = { request };
    const isWrite = (operation: string): boolean => operation === 'log_watering';
    const service = hostService({
      bridge,
      tools: TOOLS,
      isWrite,
      canTellModel,
      every: () => () => undefined,
    });
    const modelMessages = () =>
      request.mock.calls
        .filter(([method]) => method === 'ui/update-model-context')
        .map(([, params]) => (params as { content: [{ text: string }] }).content[0].text);
    return { service, request, modelMessages };
  }

  it('sends the model all writes of the person after each one, and no reads', async () => {
    const { service, modelMessages } = serviceWith(async () => LOGGED);
    await service.call('list_waterings', {});
    expect(modelMessages()).toEqual([]);
    await service.call('log_watering', WATERING);
    await service.call('log_watering', WATERING);
    const line = 'Logged 2.4 mm on North 1. (log_watering, event 45, change 12)';
    expect(modelMessages()).toEqual([
      `In the page, the person did this:\n${line}`,
      `In the page, the person did this:\n${line}\n${line}`,
    ]);
  });

  it('sends the model neither a refused write, nor anything if the host does not support it', async () => {
    const refused = serviceWith(async () => ({
      isError: true,
      content: [
        { type: 'text', text: 'No.' },
        { type: 'text', text: 'A_CODE:' },
      ],
    }));
    await expect(refused.service.call('log_watering', WATERING)).rejects.toMatchObject({
      code: 'A_CODE',
    });
    expect(refused.modelMessages()).toEqual([]);
    const silent = serviceWith(async () => LOGGED, false);
    await silent.service.call('log_watering', WATERING);
    expect(silent.modelMessages()).toEqual([]);
  });

  it('returns the answer of a write if the host refuses the message to the model', async () => {
    const { service } = serviceWith(async (method) => {
      if (method === 'ui/update-model-context') throw { code: -32000, message: 'No.' };
      return LOGGED;
    });
    expect((await service.call('log_watering', WATERING)).changeId).toBe(12);
  });

  it('throws NO_ANSWER for a call that the host did not answer', async () => {
    const { service } = serviceWith(() => Promise.reject(null));
    await expect(service.call('log_watering', WATERING)).rejects.toEqual({
      code: 'NO_ANSWER',
      message: '',
      hint: null,
    });
    const declined = serviceWith(() =>
      Promise.reject({ code: -32000, message: 'The person declined.' }),
    );
    await expect(declined.service.call('log_watering', WATERING)).rejects.toMatchObject({
      code: 'NO_ANSWER',
      message: 'The person declined.',
    });
  });
});

describe('the context of the host', () => {
  it('keeps the values that a change does not name', () => {
    const dark = withHostContext(UNKNOWN_CONTEXT, { theme: 'dark', locale: 'es-ES' });
    expect(dark).toMatchObject({ theme: 'dark', locale: 'es-ES' });
    expect(withHostContext(dark, { locale: 'fr' })).toMatchObject({ theme: 'dark', locale: 'fr' });
    for (const nonsense of [
      null,
      undefined,
      [],
      'dark',
      { theme: 'pink', locale: 7, containerDimensions: 'all' },
    ])
      expect(withHostContext(dark, nonsense)).toEqual(dark);
  });

  it.each([
    [{ height: 300 }, 900, null],
    [{ maxHeight: 400 }, 900, 400],
    [{ maxHeight: 5000 }, 900, 720],
    [{ maxHeight: 5000 }, 500.2, 501],
    [{ maxHeight: 5000 }, 100, 400],
    [{ maxHeight: 300 }, 900, 300],
    [{}, 900, 720],
  ])(
    'with %j and %f px of content leads to a height of %s px',
    (containerDimensions, content, wanted) => {
      expect(wantedHeight(content, withHostContext(UNKNOWN_CONTEXT, { containerDimensions }))).toBe(
        wanted,
      );
    },
  );
});
