import { LANGS, type Lang } from '../domain/lang.ts';
import { languageOf } from './index.ts';

/** A module's name: its own, else its kind and number ("Soil probe 12"), else null. */
export function moduleDisplayName(
  module: { name: string | null; category: string | null; number: number | null },
  lang: Lang,
): string | null {
  if (module.name !== null) return module.name;
  if (module.number === null) return null;
  return `${languageOf(lang).moduleKinds(module.category)} ${module.number}`;
}

/** The default names of a module in the other languages; none where it has a name of its own. */
export const moduleNamesInOtherLangs = (module: Parameters<typeof moduleDisplayName>[0], lang: Lang): string[] =>
  module.name !== null
    ? []
    : LANGS.flatMap((other) => (other === lang ? [] : (moduleDisplayName(module, other) ?? [])));

/** A sensor's label: its own, else what it measures and its depth in cm ("Moisture 10 cm"). */
export function sensorDisplayLabel(
  sensor: { label: string | null; type: string | null; depth: number | null },
  lang: Lang,
): string | null {
  if (sensor.label !== null) return sensor.label;
  const measures: Readonly<Record<string, string>> = languageOf(lang).enumLabels.measurement_types;
  const measure = measures[sensor.type ?? ''];
  if (measure === undefined) return null;
  return sensor.depth === null ? measure : `${measure} ${sensor.depth} cm`;
}
