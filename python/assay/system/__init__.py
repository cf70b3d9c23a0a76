"""What is measured: servers, the machine under them and its devices; and the engine that loads them."""
