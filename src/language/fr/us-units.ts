/** Units of the United States for water and depths, which the page has too. */
export const frenchUsUnits = {
  inches: 'po',
  gallons: 'gal',
  acreInches: 'acres-pouces',
  /** Names the unit of figures in a label. */
  waterLabel: 'po',
  thousands: '\u202f',
};

/** The other units, and how figures are written before a unit. */
export const frenchQuantities = {
  feet: 'pi',
  acres: 'acres',
  squareFeet: 'pi²',
  gallonsPerHour: 'gal/h',
  decimal: ',',
  /** A pattern of the words before a rough figure. */
  rough: 'environ|quelque',
  /**
   * A pattern of what stands between figures of one unit: "10, 20 and 30 cm", "6.9 of 7.6 mm". A
   * comma alone separates different things: "on Almond 1, 12 mm".
   */
  figureJoiners: ', (?=[\\d., ]{1,300} (?:et|ou) \\d)| et | à | de | sur | ou ',
};
