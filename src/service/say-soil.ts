import type { Lang } from '../domain/lang.ts';
import { type SoilHorizon, soilHorizon } from '../domain/soil.ts';
import type { LayerSpan } from '../domain/soil-profile.ts';
import type { Saying } from '../operation/call.ts';
import { parcelName } from '../operation/directory.ts';
import type { LayerEntry, SoilHorizonBody, SoilProfileLayerBody } from '../schema/soil.ts';
import type { SaidLayer, SoilWords } from './soil-words.ts';
import { englishSoils } from './soil-words-en.ts';
import { frenchSoils } from './soil-words-fr.ts';

const WORDS: Record<Lang, SoilWords> = { en: englishSoils, fr: frenchSoils };

export const soilWords = ({ lang }: Pick<Saying, 'lang'>): SoilWords => WORDS[lang];

/** A layer declared with a horizon of the catalog. */
type Layer = { readonly soilHorizonId: number } & LayerSpan;

const textureOf = ({ usdaClass, nameFr }: SoilHorizon, { lang }: Pick<Saying, 'lang'>): string =>
  lang === 'fr' ? nameFr : usdaClass;

/** "Loam 0 to 40 cm", of each layer. */
export const sayLayers = (layers: readonly Layer[], call: Pick<Saying, 'lang'>): string[] =>
  layers.map(({ soilHorizonId, depthTopCm: top, depthBottomCm: bottom }) =>
    soilWords(call).layer({ texture: textureOf(soilHorizon(soilHorizonId)!, call), top, bottom }),
  );

function saidLayer(layer: SoilProfileLayerBody, call: Saying): SaidLayer {
  const horizon = soilHorizon(layer.soil_horizon_id);
  const texture = horizon === null ? layer.usda_class : textureOf(horizon, call);
  return { texture, top: layer.depth_top_cm, bottom: layer.depth_bottom_cm };
}

const percent = (fraction: number): number => Math.round(fraction * 100);

export async function sayProfile(
  { data }: { data: readonly SoilProfileLayerBody[] },
  call: Saying,
  { parcelId }: { parcelId: number },
): Promise<string> {
  const words = soilWords(call);
  const name = await parcelName(call.directory, parcelId, call.lang);
  if (data.length === 0) return [words.none(name), ...call.remarks].join(' ');
  const layers = data.map((layer) =>
    words.holding(saidLayer(layer, call), percent(layer.theta_fc), percent(layer.theta_pwp)),
  );
  return [words.profile(name, layers), ...call.remarks].join(' ');
}

export async function sayDeclared(
  _: unknown,
  call: Saying,
  { parcelId, layers }: { parcelId: number; layers: readonly LayerEntry[] },
): Promise<string> {
  const name = await parcelName(call.directory, parcelId, call.lang);
  return [soilWords(call).declared(name, sayLayers(layers, call)), ...call.remarks].join(' ');
}

export const sayHorizons = ({ data }: { data: readonly SoilHorizonBody[] }, call: Saying): string =>
  soilWords(call).textures(data.map(({ label, code }) => `${label} (${code})`));
