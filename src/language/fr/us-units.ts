/** Units of the United States. */
export const frenchUsUnits = {
  inches: 'po',
  feet: 'pi',
  gallons: 'gal',
  acreInches: 'acres-pouces',
  acres: 'acres',
  squareFeet: 'pi²',
  perHour: (unit: string) => `${unit}/h`,
  /** Names the unit of figures in a label. */
  waterLabel: 'po',
  thousands: '\u202f',
};

/** How figures are written before a unit. */
export const frenchFigures = {
  decimal: ',',
  /**
   * A pattern of what stands between figures of one unit: "10, 20 and 30 cm", "6.9 of 7.6 mm". A
   * comma alone separates different things: "on Almond 1, 12 mm".
   */
  figureJoiners: ', (?=[\\d., ]+ (?:et|ou) \\d)| et | à | de | sur | ou ',
};
