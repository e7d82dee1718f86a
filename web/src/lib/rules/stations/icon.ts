/** Path data of a station's icon. */
export const ICON = "M4 20V10l8-6 8 6v10ZM10 20v-5h4v5";
