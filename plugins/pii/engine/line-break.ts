/** A line break within a value, as mails and terminals wrap it, with the quotation marks or the indentation of the next line. */
export const LINE_BREAK = '[ \\-]?\r?\n[> ]*'
