import { describe, expect, it } from 'vitest';
import { irrigationSetup, parcelIrrigation } from '../../src/schema/irrigation/installation.ts';
import { RemoteTools, refusalOf } from './remote-tools.ts';
import { sampleBody } from './sample-body.ts';
import { jsonReaction } from './stub-service.ts';

const remote = new RemoteTools({});
const PARCEL = '/v1/parcels/1/irrigation';
const version = (id: number, validFrom: string, validTo: string | null, figures: object) => ({
  id,
  scope: 'parcel',
  parcelId: 1,
  moduleId: null,
  system: 'drip',
  flowMmPerH: null,
  emitterFlowLph: null,
  emittersPerM2: null,
  irrigatedAreaM2: null,
  fractionWetted: 0.35,
  fractionWettedIsDefault: true,
  validFrom,
  validTo,
  setAt: validFrom,
  notes: null,
  ...figures,
});
const LINES = { flowMmPerH: 8, emitterFlowLph: 4, emittersPerM2: 2, irrigatedAreaM2: 500 };
const VERSIONS = [
  version(2, '2026-06-01T00:00:00.000Z', null, LINES),
  version(1, '1970-01-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z', { flowMmPerH: 3 }),
];
const SETUP = sampleBody(parcelIrrigation, {
  fixed: { versions: VERSIONS, installation: VERSIONS[0], probes: [] },
});
const PROBE_SETUP = sampleBody(irrigationSetup, {
  fixed: { versions: VERSIONS, installation: VERSIONS[0] },
});

const declare = async (fields: Record<string, unknown>, setup = jsonReaction(SETUP)) => {
  remote.stub.on(`GET ${PARCEL}`, setup);
  remote.stub.on(`PUT ${PARCEL}/installation`, jsonReaction({ success: true }));
  const call = { parcel: 'North block', system: 'drip', ...fields };
  const { summary } = await remote.call('set_parcel_installation', call);
  const { body } = remote.stub.requestsTo(`${PARCEL}/installation`).at(-1)!;
  return { sent: JSON.parse(body), summary };
};

describe('a change of equipment on a service, which replaces it whole', () => {
  it('is sent with the figures that it keeps', async () => {
    const { sent, summary } = await declare({ emitterFlowLph: 2 });
    const kept = { emittersPerM2: 2, irrigatedAreaM2: 500 };
    expect(sent).toEqual({ system: 'drip', emitterFlowLph: 2, ...kept });
    expect(summary).toContain('As before: 2 emitters per m2, 500 m2.');
  });

  it('keeps what was in force at its start', async () => {
    const { sent } = await declare({ irrigatedAreaM2: 300, effectiveFrom: '2026-05-01' });
    expect(sent).toMatchObject({ flowMmPerH: 3, irrigatedAreaM2: 300 });
  });

  it('says that nothing is kept if the key may not read the equipment', async () => {
    const problem = { code: 'insufficient_scope', detail: 'The key lacks readings:read.' };
    const { sent, summary } = await declare({ emitterFlowLph: 2 }, jsonReaction(problem, 403));
    expect(sent).toEqual({ system: 'drip', emitterFlowLph: 2 });
    expect(summary).toContain('did not show the earlier equipment');
  });
});

describe('figures that are implausible beside those on a service alone', () => {
  const parcel = 'North block';
  const module = 'North 1';

  it.each([
    ['set_parcel_installation', { parcel, system: 'drip' }],
    ['set_module_installation', { module, system: 'drip' }],
    ['correct_installation', { parcel }],
    ['correct_installation', { module, versionId: 2 }],
  ])('are asked about by %s %o', async (tool, args) => {
    remote.stub.on(`GET ${PARCEL}`, jsonReaction(SETUP));
    remote.stub.on('GET /v1/modules/1/irrigation', jsonReaction(PROBE_SETUP));
    const refusal = await refusalOf(remote.call(tool, { ...args, emitterFlowLph: 200 }));
    expect(refusal.message).toContain('200 L/h, which gives 400 mm/h; no equipment has that');
    expect(remote.stub.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
