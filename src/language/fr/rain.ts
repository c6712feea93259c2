import type { Language } from '../en/index.ts';
import { frenchCount } from './grammar.ts';

export const frenchRain: Language['rain'] = {
  place: (parcel) => (parcel === null ? 'sur toute l’exploitation' : `sur ${parcel}`),
  details: (mm, place, when, gauge) => `${mm} mm ${place}, ${when}${gauge === null ? '' : `, mesurés par ${gauge}`}`,
  logged: (details) => `Pluie enregistrée : ${details}.`,
  corrected: (id, details, was) =>
    `Le relevé de pluie ${id} est maintenant de ${details}${was === null ? '' : ` ; il était de ${was} mm`}.`,
  takenBack: (id, was) =>
    `Le relevé de pluie ${id} est annulé${was === null ? '' : ` : ses ${was} mm ne comptent plus`}.`,
  countedOnce: (id, others, mm, isNewCounted, total) => {
    const records =
      others === 0 ? `Le relevé ${id} donnait` : `Le relevé ${id} et ${frenchCount(others, 'autre')} donnaient`;
    return isNewCounted
      ? `${records} déjà ${mm} mm ce jour-là : ils ne s’ajoutent pas, c’est celui-ci qui compte, ${total} mm pour la journée.`
      : `${records} déjà ${mm} mm ce jour-là, et ce sont eux qui comptent : celui-ci ne s’y ajoute pas. S’il est plus juste, saisissez-le pour la journée entière.`;
  },
  before: (mm) => `C’était ${mm} mm auparavant.`,
  none: 'Aucune pluie n’est enregistrée pour cette demande.',
  total: (mm, days, place) => `${mm} mm en ${frenchCount(days, 'jour')} ${place}`,
  list: (places, more, newest) =>
    `Pluie enregistrée : ${places.join(' ; ')}${more > 0 ? ` ; et ${frenchCount(more, 'autre parcelle', 'autres parcelles')}` : ''}. La plus récente : ${newest}.`,
  row: (mm, day, parcel) => `${mm} mm (${day}${parcel === null ? '' : `, ${parcel}`})`,
  fell: (mm, days) => `Pluie : ${mm} mm en ${frenchCount(days, 'jour')}.`,
  recent: (rows) => `Pluie : ${rows.join(', ')}.`,
};
