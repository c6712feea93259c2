import { expect, it } from 'vitest';
import { bodyOf, firstText } from '../mcp-session.ts';
import { sharedRestService } from '../rest-service.ts';
import { CONNECTION_KINDS, sharedConnection } from './eras/connections.ts';
import { newBlock } from './own-block.ts';

const { call } = sharedConnection(sharedRestService(), CONNECTION_KINDS[0]!);

it('new emitters on the same lines keep the application rate known', async () => {
  const { parcel, probes } = await newBlock(call);
  const lines = { system: 'drip', emitterFlowLph: '2 L/h', emittersPerM2: 2 };
  bodyOf(await call('set_parcel_installation', { parcel, ...lines, irrigatedAreaM2: '1 ha' }));

  const changed = await call('set_parcel_installation', {
    parcel,
    system: 'drip',
    emitterFlowLph: '2.3 litres per hour',
    effectiveFrom: 'last Monday',
  });
  expect(firstText(changed)).toContain('4.6 mm/h');
  expect(firstText(changed)).toContain('As before: 2 emitters per m2, 10000 m2.');

  const setup = await call('get_irrigation_setup', { module: probes[0] });
  expect(bodyOf(setup).installation).toMatchObject({ flowMmPerH: 4.6, irrigatedAreaM2: 10_000 });
});
