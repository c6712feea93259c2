import { counted, of } from '../domain/french.ts';
import type { Role } from '../operation/scope.ts';
import type { GatewayBody } from '../schema/gateway.ts';
import type { PlaceWords, SaidKind } from './place-words.ts';

const KINDS: Record<NonNullable<SaidKind>, string> = {
  SOIL_PROBE: 'une sonde',
  TENSIOMETER: 'un tensiomètre',
  WEATHER_STATION: 'une station météo',
};

const ROLES: Record<Role, string> = { OWNER: 'propriétaire', MANAGER: 'gestionnaire', VIEWER: 'lecture seule' };

const STATES: Record<GatewayBody['status'], string> = { active: 'en service', faulty: 'en panne' };

export const frenchPlaces: PlaceWords = {
  noName: 'sans nom',
  noModule: 'Aucun module ne correspond.',
  modules: (named) => `Modules : ${named}.`,
  noParcel: 'Il n’y a pas de parcelle.',
  parcels: (named) => `Parcelles : ${named}.`,
  module: ({ name, kind, parcel, sensors, depths, isMoved }) => {
    const where = parcel === null ? 'hors parcelle' : `dans ${parcel}`;
    const measuring = depths.length === 0 ? counted(sensors, 'capteur') : `capteurs à ${depths.join(', ')} cm`;
    return `${name} est ${kind === null ? 'un module' : KINDS[kind]} ${where}, ${measuring}.${isMoved ? ' Sa position est à reconfirmer.' : ''}`;
  },
  company: (name, city, zone, isDeclared) =>
    `${name}${city === null ? '' : `, ${city}`} ; fuseau horaire ${zone}${isDeclared ? '' : ' (aucun n’est déclaré)'}.`,
  noMembers: 'L’exploitation n’a aucun membre.',
  members: (people) => `Membres : ${people.map(({ name, role }) => `${name} (${ROLES[role]})`).join(', ')}.`,
  enums: (codes) => `Dix listes de codes avec leurs libellés, ${codes} codes en tout.`,

  neverHeard: 'aucune transmission',
  lastHeard: (at, zone) => `dernière transmission ${at} (${zone})`,
  noGateway: 'Aucune passerelle ne correspond.',
  faulty: (imei, heard, modules) =>
    `${imei}, ${heard}, ${modules.length === 0 ? 'sans module' : `avec ${modules.join(', ')}`}`,
  gateways: (named, faulty) =>
    `Passerelles : ${named}. ${faulty.length === 0 ? 'Aucune n’est en panne.' : `En panne : ${faulty.join(' ; ')}.`}`,
  unplugged: (name) => `${name} n’a pas de passerelle.`,
  health: ({ name, imei, status, heard, soc, level }) =>
    `La passerelle ${of(name)} (${imei}) est ${STATES[status]} : ${heard}, ${soc === null ? 'batterie inconnue' : `batterie ${soc} %`}, ${level === null ? 'signal inconnu' : `signal ${level} barres sur 4`}.`,
};
