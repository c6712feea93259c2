import type { Lang } from '../../../../../src/domain/lang.ts';

/** The place of a farm, and the instant at which it is asked. */
export interface FarmPlace {
  readonly zone: string;
  readonly now: string;
  readonly countryCode: string;
  /** The language of the names and of who asks. */
  readonly lang: Lang;
  readonly lat: number;
  readonly lon: number;
}

/** Clocks change shortly before most of these instants: at midnight, by half an hour, by a day. */
export const FARM_PLACES: readonly FarmPlace[] = [
  place('Europe/Paris', '2026-10-26T06:40:00Z', 'FR', 'fr', [43.61, 3.87]),
  place('America/Sao_Paulo', '2018-11-06T10:20:00Z', 'BR', 'es', [-22.9, -47.06]),
  place('Australia/Lord_Howe', '2026-10-05T21:15:00Z', 'AU', 'en', [-31.55, 159.08]),
  place('Pacific/Apia', '2012-01-02T18:20:00Z', 'WS', 'en', [-13.83, -171.77]),
  place('UTC', '2026-06-30T23:50:00Z', 'GB', 'en', [51.5, -0.6]),
  place('Europe/Paris', '2026-03-30T05:10:00Z', 'FR', 'fr', [44.1, 4.8]),
  place('America/Sao_Paulo', '2018-02-19T11:00:00Z', 'BR', 'en', [-15.8, -47.9]),
  place('Australia/Lord_Howe', '2026-04-06T19:30:00Z', 'AU', 'fr', [-31.5, 159.1]),
  place('Europe/Madrid', '2026-07-15T07:05:00Z', 'ES', 'es', [37.4, -5.98]),
  place('Asia/Kathmandu', '2026-05-12T01:35:00Z', 'NP', 'en', [27.7, 85.3]),
  place('America/New_York', '2026-11-02T12:45:00Z', 'US', 'es', [42.9, -77.0]),
  place('Africa/Cairo', '2026-04-25T04:00:00Z', 'EG', 'fr', [30.04, 31.2]),
  place('America/Santiago', '2026-09-07T13:30:00Z', 'CL', 'es', [-33.45, -70.66]),
  place('UTC', '2027-01-01T08:00:00Z', 'FR', 'fr', [48.8, 2.3]),
];

function place(
  zone: string,
  now: string,
  countryCode: string,
  lang: Lang,
  [lat, lon]: readonly [number, number],
): FarmPlace {
  return { zone, now, countryCode, lang, lat, lon };
}

export const NAMES: Readonly<
  Record<Lang, { company: string; parcels: readonly string[]; probes: readonly string[] }>
> = {
  en: {
    company: 'Long Meadow Farm',
    parcels: ['North block', 'River field', 'Hill orchard'],
    probes: ['North', 'Riverside', 'Hilltop', 'Gate', 'Old barn', 'Long row', 'Mast'],
  },
  fr: {
    company: 'Mas des Chênes',
    parcels: ['Parcelle du pont', 'La vigne', 'Verger haut'],
    probes: ['Nord', 'Bord de rivière', 'Le haut', 'Entrée', 'Vieille grange', 'Rang long', 'Mât'],
  },
  es: {
    company: 'Finca El Olivar',
    parcels: ['Parcela norte', 'Huerta baja', 'El viñedo'],
    probes: ['Norte', 'Junto al río', 'Lo alto', 'Portón', 'Cortijo viejo', 'Hilera', 'Mástil'],
  },
};

export const CROPS = ['olive', 'vineyard', 'tomato', 'maize', 'almond', null] as const;
