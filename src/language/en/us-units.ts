/** Units of the United States, and how figures are written before a unit. */
export const englishUsUnits = {
  inches: 'in',
  feet: 'ft',
  gallons: 'gal',
  acreInches: 'acre-inches',
  acres: 'acres',
  squareFeet: 'sq ft',
  perHour: (unit: string) => (unit === 'gal' ? 'gph' : `${unit}/h`),
  thousands: ',',
  decimal: '.',
  /**
   * A pattern of what stands between figures of one unit: "10, 20 and 30 cm", "6.9 of 7.6 mm". A
   * comma alone separates different things: "on Almond 1, 12 mm".
   */
  figureJoiners: ', and |, (?=[\\d., ]+ (?:and|or) \\d)| and | to | of | or ',
};
