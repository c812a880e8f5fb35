"""A report as small as can be: a module and a template."""
