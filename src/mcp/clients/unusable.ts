/** Why a settings file is left as it is. It is shown to the person, who knows what it should say. */
export class UnusableSettings extends Error {
  /** The file that it is about, once that is known. */
  file: string | undefined;

  constructor(
    message: string,
    /** Where in the text, when that is known. */
    readonly offset?: number,
  ) {
    super(message);
  }
}
