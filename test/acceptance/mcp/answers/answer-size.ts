import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect } from 'vitest';
import { tools as operations } from '../../../../tools/index.ts';
import { bodyOf, type McpSession } from '../../mcp-session.ts';

/** o200k tokens. */
const MAX_TOKENS = 4000;

interface AnswerSize {
  readonly tool: string;
  readonly structured: number | null;
  readonly text: number;
}

type Call = McpSession['call'];

/** Calls with required arguments only: first the reads, last the tool that deletes. */
async function answerSizes(call: Call, module: string, parcel: string): Promise<AnswerSize[]> {
  const waterings = bodyOf(await call('list_waterings', { module, status: 'done' })).data;
  const { startedAt, inputMode } = waterings[0];
  const own = async (tool: string, args: object = {}) =>
    bodyOf(await call(tool, { module, ...args })).data[0].id;
  const target = { threshold: 18 };
  const alertId = bodyOf(await call('create_alert', { module, ...target })).id;
  const drawing = { type: 'h-line', p1: [Date.parse(startedAt), 22] };
  await call('create_annotation', { module, ...drawing });
  const watering = { startedAt: 'today 6:00', inputMode: 'duration', durationMin: 45 };
  const schedule = {
    freq: 'daily',
    startTimes: ['05:30'],
    timezone: 'Europe/Paris',
    startsOn: '2026-07-20',
    inputMode: 'duration',
    durationMin: 30,
  };
  const scheduleId = bodyOf(await call('create_schedule', { module, ...schedule })).id;
  const [version] = bodyOf(await call('get_irrigation_setup', { module })).versions;
  const layers = [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 40 }];
  const required: Record<string, () => object | Promise<object>> = {
    log_watering: () => ({ module, ...watering }),
    correct_watering: () => ({
      eventId: waterings[0].id,
      startedAt,
      inputMode,
      note: 'With the new pump',
    }),
    log_rain: () => ({ mm: 12, when: 'yesterday' }),
    correct_rain: async () => ({ rainId: bodyOf(await call('list_rain')).data[0].id, mm: 9 }),
    create_schedule: () => ({ parcel, ...schedule }),
    update_schedule: () => ({ scheduleId, label: 'Before the heat' }),
    get_irrigation_setup: () => ({ module }),
    set_module_installation: () => ({ module, system: 'drip' }),
    set_parcel_installation: () => ({ parcel, system: 'drip' }),
    correct_installation: () => ({ versionId: version.id }),
    generalize_installation: () => ({ module }),
    recompute_doses: () => ({ module }),
    set_module_placement: () => ({ module }),
    set_probe_settings: () => ({ module, hoursPerDay: 5 }),
    set_water_times: () => ({ parcel, everyHours: 192, turnAt: '2026-07-02 06:00' }),
    set_parcel: () => ({ name: parcel }),
    set_module: () => ({ name: module }),
    import_readings: () => ({ csv: 'time,humidity_10\n2026-06-30 06:00,24', module, dryRun: true }),
    assign_device: () => ({ device: 'A84041FFFF181F0D', module, depths: [10] }),
    get_module: () => ({ module }),
    get_moisture_series: () => ({ module }),
    get_agronomic_state: () => ({ module }),
    advise_watering: () => ({ module }),
    review_waterings: () => ({ module }),
    suggest_thresholds: () => ({ module }),
    chart_moisture: () => ({ module }),
    get_module_health: () => ({ module }),
    get_soil_profile: () => ({ parcel }),
    set_soil_profile: () => ({ parcel, layers }),
    create_alert: () => ({ module, ...target }),
    update_alert: () => ({ alertId }),
    backtest_alert: () => ({ module }),
    list_annotations: () => ({ module }),
    create_annotation: () => ({ module, ...drawing }),
    update_annotation: async () => ({ annotationId: await own('list_annotations') }),
    delete_annotation: async () => ({ annotationId: await own('list_annotations') }),
  };
  const order = ['read', 'create', 'update', 'delete'];
  const sizes: AnswerSize[] = [];
  for (const { name } of [...operations].sort(
    (a, b) => order.indexOf(a.effect) - order.indexOf(b.effect),
  ))
    sizes.push(sizeOf(name, await call(name, { ...(await required[name]?.()) })));
  return sizes;
}

function sizeOf(tool: string, result: CallToolResult): AnswerSize {
  if (result.isError) throw new Error(`${tool} refused: ${JSON.stringify(result.content)}`);
  const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const { structuredContent } = result;
  return {
    tool,
    structured:
      structuredContent === undefined ? null : encode(JSON.stringify(structuredContent)).length,
    // The JSON is in both renderings; clients that show the content also show the summary.
    text: encode(texts.join('\n')).length,
  };
}

function print(farm: string, sizes: readonly AnswerSize[]): void {
  const lines = sizes.map(
    ({ tool, structured, text }) =>
      `${tool.padEnd(28)}${String(structured ?? '').padStart(6)}${String(text).padStart(6)}`,
  );
  process.stderr.write(
    `o200k tokens of default answers on ${farm} (structured, content)\n${lines.join('\n')}\n`,
  );
}

export async function expectSmallAnswers(
  farm: string,
  call: Call,
  module: string,
  parcel: string,
): Promise<void> {
  const sizes = await answerSizes(call, module, parcel);
  print(farm, sizes);
  expect(sizes.map(({ tool }) => tool).sort()).toEqual(operations.map(({ name }) => name).sort());
  expect(
    sizes.filter(({ structured, text }) => Math.max(structured ?? 0, text) >= MAX_TOKENS),
  ).toEqual([]);
}
