/** Why a settings file is left as it is. It is shown to the person, who knows what it should say. */
export class UnusableSettings extends Error {
  constructor(
    message: string,
    /** Where in the text, when that is known. */
    readonly offset?: number,
  ) {
    super(message);
  }
}
