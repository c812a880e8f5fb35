"""Files of daily figures from elsewhere: given, put to our statistics, stored, taken back."""
