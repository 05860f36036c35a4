/** With a full stop at its end. Some messages have one already, or end with a question. */
export const sentence = (text: string): string => (/[?.]$/.test(text) ? text : `${text}.`)
