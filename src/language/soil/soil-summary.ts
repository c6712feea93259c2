import { type SoilHorizon, soilHorizonById } from '../../domain/soil/soil-catalog.ts';
import type { LayerSpan } from '../../domain/soil/soil-profile.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { LayerEntry, SoilHorizonBody, SoilProfileLayerBody } from '../../schema/soil/soil.ts';
import { englishLabels } from '../en/labels.ts';
import { parcelName, type SummaryContext } from '../summary-context.ts';
import type { SoilLayerFacts } from './soil-phrases.ts';
import { soilPhrases } from './soil-phrases.ts';

type CatalogLayer = { readonly soilHorizonId: number } & LayerSpan;

const textureOf = ({ usdaClass }: SoilHorizon): string => englishLabels.texture(usdaClass);

function textureOfId(id: number): string {
  const horizon = soilHorizonById(id);
  return horizon === null ? `texture ${id}` : textureOf(horizon);
}

export const describeLayers = (layers: readonly CatalogLayer[]): string[] =>
  layers.map(({ soilHorizonId, depthTopCm: top, depthBottomCm: bottom }) =>
    soilPhrases.layer({
      texture: textureOfId(soilHorizonId),
      top,
      bottom,
    }),
  );

function layerFacts(layer: SoilProfileLayerBody): SoilLayerFacts {
  const horizon = soilHorizonById(layer.soil_horizon_id);
  const texture = horizon === null ? layer.usda_class : textureOf(horizon);
  return { texture, top: layer.depth_top_cm, bottom: layer.depth_bottom_cm };
}

const percent = (fraction: number): number => Math.round(fraction * 100);

export async function summarizeSoilProfile(
  { data }: { data: readonly SoilProfileLayerBody[] },
  context: SummaryContext,
  { parcelId }: { parcelId: number },
): Promise<string> {
  const name = await parcelName(context.directory, parcelId);
  if (data.length === 0) return soilPhrases.noProfile(name);

  const layers = data.map((layer) =>
    soilPhrases.layerWithThresholds(
      layerFacts(layer),
      percent(layer.theta_fc),
      percent(layer.theta_pwp),
    ),
  );

  return soilPhrases.profile(name, layers);
}

export async function summarizeDeclaredSoil(
  _: unknown,
  context: SummaryContext,
  { parcelId, layers }: { parcelId: number; layers: readonly LayerEntry[] },
  advisories: readonly Advisory[],
): Promise<string> {
  const name = await parcelName(context.directory, parcelId);
  const others = advisories.flatMap((advisory) =>
    advisory.kind === 'layers_in_force' ? advisory.layers : [],
  );
  const deepestCm = Math.max(...layers.map(({ depthBottomCm }) => depthBottomCm));

  return soilPhrases.declaredLayers(name, describeLayers(layers), {
    layers: describeLayers(others),
    areAllBelow: others.every(({ depthTopCm }) => depthTopCm >= deepestCm),
  });
}

export const summarizeSoilHorizons = ({ data }: { data: readonly SoilHorizonBody[] }): string =>
  soilPhrases.textures(data.map(({ label, code }) => `${label} (${code})`));
