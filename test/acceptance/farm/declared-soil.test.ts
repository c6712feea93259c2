import { describe, expect, it } from 'vitest';
import { sharedConnection, TRIED_CONNECTIONS } from '../mcp/eras/connections.ts';
import { newBlock } from '../mcp/own-block.ts';
import { bodyOf, firstText } from '../mcp-session.ts';
import { sharedRestService } from '../rest-service.ts';

const service = sharedRestService();

describe.each(TRIED_CONNECTIONS)('a soil, over $transport in $revision', (kind) => {
  const { call } = sharedConnection(service, kind);

  it('that is clay down to 60 is what it covers, and what stays below is said first', async () => {
    const { parcel } = await newBlock(call);
    const declare = (...layers: [texture: string, top: string, bottom: string][]) =>
      call('set_soil_profile', {
        parcel,
        layers: layers.map(([soilHorizonId, depthTopCm, depthBottomCm]) => ({
          soilHorizonId,
          depthTopCm,
          depthBottomCm,
        })),
      });
    bodyOf(await declare(['loam', '0', '40 cm'], ['clay loam', '40 cm', '90 cm']));

    const declared = await declare(['clay', '0', '60 cm']);
    expect(firstText(declared)).toMatch(
      /^Declared for \w+ block from now on: Clay 0 to 60 cm; Clay loam 60 to 90 cm stays from before, unless what you declared is the whole soil\./,
    );
    expect(bodyOf(declared).next).toContain(
      'this call again with closeOthers: true, if these layers are the whole profile: it removes Clay loam 60 to 90 cm',
    );
    const { data } = bodyOf(await call('get_soil_profile', { parcel }));
    expect(data).toMatchObject([
      { usda_class: 'Clay', depth_top_cm: 0, depth_bottom_cm: 60 },
      { usda_class: 'Clay loam', depth_top_cm: 60, depth_bottom_cm: 90 },
    ]);

    bodyOf(await call('undo', { changeId: bodyOf(declared).changeId }));
    const before = bodyOf(await call('get_soil_profile', { parcel })).data;
    expect(before).toMatchObject([{ usda_class: 'Loam' }, { depth_top_cm: 40 }]);
  });
});
