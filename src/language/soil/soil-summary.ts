import { type SoilHorizon, soilHorizonById } from '../../domain/soil/soil-catalog.ts';
import type { LayerSpan } from '../../domain/soil/soil-profile.ts';
import type { LayerEntry, SoilHorizonBody, SoilProfileLayerBody } from '../../schema/soil/soil.ts';
import type { SoilLayerFacts } from '../en/setup.ts';
import { languageOf } from '../index.ts';
import { parcelName, type SummaryContext, type WordingContext } from '../summary-context.ts';

type CatalogLayer = { readonly soilHorizonId: number } & LayerSpan;

const textureOf = ({ usdaClass }: SoilHorizon, context: Pick<WordingContext, 'lang'>): string =>
  languageOf(context.lang).soil.texture(usdaClass);

export const describeLayers = (
  layers: readonly CatalogLayer[],
  context: Pick<WordingContext, 'lang'>,
): string[] =>
  layers.map(({ soilHorizonId, depthTopCm: top, depthBottomCm: bottom }) =>
    languageOf(context.lang).soil.layer({
      texture: textureOf(soilHorizonById(soilHorizonId)!, context),
      top,
      bottom,
    }),
  );

function layerFacts(layer: SoilProfileLayerBody, context: SummaryContext): SoilLayerFacts {
  const horizon = soilHorizonById(layer.soil_horizon_id);
  const texture = horizon === null ? layer.usda_class : textureOf(horizon, context);
  return { texture, top: layer.depth_top_cm, bottom: layer.depth_bottom_cm };
}

const percent = (fraction: number): number => Math.round(fraction * 100);

export async function summarizeSoilProfile(
  { data }: { data: readonly SoilProfileLayerBody[] },
  context: SummaryContext,
  { parcelId }: { parcelId: number },
): Promise<string> {
  const phrases = languageOf(context.lang).soil;
  const name = await parcelName(context.directory, parcelId, context.lang);
  if (data.length === 0) return phrases.noProfile(name);

  const layers = data.map((layer) =>
    phrases.layerWithThresholds(
      layerFacts(layer, context),
      percent(layer.theta_fc),
      percent(layer.theta_pwp),
    ),
  );

  return phrases.profile(name, layers);
}

export async function summarizeDeclaredSoil(
  _: unknown,
  context: SummaryContext,
  { parcelId, layers }: { parcelId: number; layers: readonly LayerEntry[] },
): Promise<string> {
  const name = await parcelName(context.directory, parcelId, context.lang);
  return languageOf(context.lang).soil.declaredLayers(name, describeLayers(layers, context));
}

export const summarizeSoilHorizons = (
  { data }: { data: readonly SoilHorizonBody[] },
  context: SummaryContext,
): string =>
  languageOf(context.lang).soil.textures(data.map(({ label, code }) => `${label} (${code})`));
