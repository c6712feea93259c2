import type { Language } from '../en/index.ts';
import { spanishCount } from './grammar.ts';

export const spanishRain: Language['rain'] = {
  place: (parcel) => (parcel === null ? 'en toda la finca' : `en ${parcel}`),
  details: (mm, place, when, gauge) => `${mm} mm ${place}, ${when}${gauge === null ? '' : `, medidos por ${gauge}`}`,
  logged: (details) => `Lluvia anotada: ${details}.`,
  corrected: (id, details, was) =>
    `El registro de lluvia ${id} es ahora de ${details}${was === null ? '' : `; era de ${was} mm`}.`,
  takenBack: (id, was) =>
    `El registro de lluvia ${id} queda anulado${was === null ? '' : `: sus ${was} mm ya no cuentan`}.`,
  countedOnce: (id, others, mm, isNewCounted, total) => {
    const records = others === 0 ? `El registro ${id} ya tenía` : `El registro ${id} y ${others} más ya tenían`;
    return isNewCounted
      ? `${records} ${mm} mm ese día: no se suman, cuenta este, ${total} mm en el día.`
      : `${records} ${mm} mm ese día, y son los que cuentan: este no se les suma. Si es el dato bueno, anótelo para el día entero.`;
  },
  before: (mm) => `Antes eran ${mm} mm.`,
  none: 'No hay lluvia anotada para eso.',
  total: (mm, days, place) => `${mm} mm en ${spanishCount(days, 'día')} ${place}`,
  list: (places, more, newest) =>
    `Lluvia anotada: ${places.join('; ')}${more > 0 ? `; y ${spanishCount(more, 'parcela más', 'parcelas más')}` : ''}. La más reciente: ${newest}.`,
  row: (mm, day, parcel) => `${mm} mm (${day}${parcel === null ? '' : `, ${parcel}`})`,
  fell: (mm, days) => `Lluvia: ${mm} mm en ${spanishCount(days, 'día')}.`,
  recent: (rows) => `Lluvia: ${rows.join(', ')}.`,
};
