import { z } from 'zod/v3';
import { summarizeSoilHorizons } from '../../src/language/soil/soil-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { langField, listOf } from '../../src/schema/shared-fields.ts';
import { soilHorizon } from '../../src/schema/soil/soil.ts';
import { listSoilHorizons } from '../../src/service/soil/soil-profile.ts';

export default operation({
  name: 'list_soil_horizons',
  title: 'List soil textures',
  description:
    'List the twelve soil texture classes: code for set_soil_profile, sand, silt, clay and water.',
  toolset: 'soil',
  endpoint: { method: 'GET', path: '/reference/soil-horizons', status: 200 },
  scope: 'catalog:read',
  effect: 'read',
  tool: {
    resource: {
      uri: 'acequia://catalog/soil-horizons',
      name: 'soil-horizons',
      title: 'Soil textures',
      description:
        'Texture classes with their codes and the water they hold, in the language that ?lang= names. The same as list_soil_horizons.',
    },
  },
  worksWithoutCompany: true,
  input: z.strictObject({ lang: langField().default('en') }),
  output: listOf(soilHorizon),
  run: async (_, { lang }) => listSoilHorizons(lang),
  summary: summarizeSoilHorizons,
});
