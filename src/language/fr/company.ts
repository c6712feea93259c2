import type { Role } from '../../schema/scope.ts';
import type { ModuleKind, PlacePhrases } from '../company/company-phrases.ts';
import { frenchCount } from './grammar.ts';

const MODULE_KINDS: Readonly<Record<ModuleKind, string>> = {
  SOIL_PROBE: 'une sonde',
  TENSIOMETER: 'un tensiomètre',
  WEATHER_STATION: 'une station météo',
};
const MODULE_LABELS: Readonly<Record<string, string>> = {
  SOIL_PROBE: 'Sonde',
  TENSIOMETER: 'Tensiomètre',
  WEATHER_STATION: 'Station météo',
};
const ROLE_NAMES: Readonly<Record<Role, string>> = {
  OWNER: 'propriétaire',
  MANAGER: 'gestionnaire',
  VIEWER: 'lecture seule',
};

export const frenchPlace: PlacePhrases = {
  noName: 'sans nom',
  moduleLabel: (category) => MODULE_LABELS[category ?? ''] ?? 'Module',
  noModule: 'Aucun module ne correspond.',
  modules: (names) => `Modules : ${names}.`,
  noParcel: 'Il n’y a pas de parcelle.',
  parcels: (names) => `Parcelles : ${names}.`,
  module: ({ name, kind, parcel, sensors, depths, isMoved }) => {
    const where = parcel === null ? 'hors parcelle' : `dans ${parcel}`;
    const measuring = depths.length === 0 ? frenchCount(sensors, 'capteur') : `capteurs à ${depths.join(', ')} cm`;
    return `${name} est ${kind === null ? 'un module' : MODULE_KINDS[kind]} ${where}, ${measuring}.${isMoved ? ' Sa position est à reconfirmer.' : ''}`;
  },
  company: (name, city, zone, isDeclared) =>
    `${name}${city === null ? '' : `, ${city}`} ; fuseau horaire ${zone}${isDeclared ? '' : ' (aucun n’est indiqué)'}.`,
  noMembers: 'L’exploitation n’a aucun membre.',
  members: (people) => `Membres : ${people.map(({ name, role }) => `${name} (${ROLE_NAMES[role]})`).join(', ')}.`,
  enums: (codes) => `Dix listes de codes avec leurs libellés, ${codes} codes en tout.`,
};
